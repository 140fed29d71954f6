//! Accepting an invitation: a person who has the link and their password, or chooses one if they have none, becomes a
//! member who can sign in.
//!
//! E-mail addresses are not verified here, and a person may be known from another organization. So an invitation never
//! changes an existing password: otherwise an organization could invite a person known from another one, set "their"
//! password and sign in there. An existing password must be right, and failures are throttled as at sign-in, because
//! anyone may be invited.

use db::Tx;
use domain::invitation::Invitation;
use domain::person::Member;
use domain::{Faults, OrgId};
use store::invitations::Proof;

use super::AuthorizationServer;
use super::password::Password;
use super::refusals::Source;
use super::secret::InvitationToken;
use super::session::throttled_name;
use crate::http::error::{Error, Result};

/// The data with which a person accepts an invitation.
pub(crate) struct Accept {
    /// The token of the link; `None` if it is malformed.
    pub(crate) token: Option<InvitationToken>,
    /// The password, existing or chosen.
    pub(crate) password: Password,
    /// The display name, if it shall differ from the name in the invitation.
    pub(crate) name: Option<String>,
}

impl AuthorizationServer {
    /// Accepts an invitation. Returns the organization and the member who can now sign in to it.
    pub(crate) async fn accept(&self, asked: Accept, source: &Source) -> Result<(OrgId, Member)> {
        let token = asked.token.ok_or(Error::InvitationNotValid)?;
        let (organization, invitation) = self.invited(&token).await?;
        // The same rules apply whether a password exists or not: the response must not reveal it.
        check_password(&asked.password, asked.name.as_deref(), &invitation)?;
        let proof = self.prove_person(organization, &invitation, asked.password, source).await?;
        let (name, request_id, hash) = (asked.name, source.request_id().to_owned(), token.hash());
        let accepted: store::Result<Option<Member>> = self
            .db
            .write_instance(async move |tx: &mut Tx| {
                let name = name.as_deref();
                store::invitations::accept(tx, organization, &request_id, &hash, name, &proof).await
            })
            .await;
        let member = accepted?.ok_or(Error::InvitationNotValid)?;
        Ok((organization, member))
    }

    /// The open invitation with this token, and its organization.
    pub(crate) async fn invited(&self, token: &InvitationToken) -> Result<(OrgId, Invitation)> {
        let mut read = self.db.read().await?;
        let found = store::invitations::find(&mut read, &token.hash(), self.now()).await?;
        found.ok_or(Error::InvitationNotValid)
    }

    async fn prove_person(
        &self,
        organization: OrgId,
        invitation: &Invitation,
        password: Password,
        source: &Source,
    ) -> Result<Proof> {
        let (from, request_id) = (source.address, source.request_id());
        let name = throttled_name(&invitation.email);
        self.throttle.check(&name, from, self.now())?;
        let mut read = self.db.read().await?;
        let known = store::people::credentials(&mut read, organization, &invitation.email).await?;
        drop(read);
        let turn = self.passwords.turn().await?;
        self.throttle.check(&name, from, self.now())?;
        let Some((person, stored)) = known.and_then(|known| known.hash.clone().map(|hash| (known, hash)))
        else {
            return Ok(Proof::Chosen(turn.store(password).await?));
        };
        if !turn.check(password, Some(stored)).await?.is_right {
            self.throttle.failed(&name, from, self.now());
            let reason = "wrong password";
            tracing::warn!(target: "security", %organization, address = %from, request_id, reason, "invitation not accepted");
            self.count_refused_sign_in(Some(person.person)).await?;
            return Err(Error::InvalidCredentials);
        }
        Ok(Proof::Right { person: person.person, version: person.version })
    }
}

fn check_password(password: &Password, name: Option<&str>, invitation: &Invitation) -> Result<()> {
    let mut faults = Faults::new();
    let known = [name.unwrap_or(&invitation.name), &invitation.name, &invitation.email];
    domain::password::chosen(password.expose(), known, "#/password", &mut faults);
    if faults.is_empty() { Ok(()) } else { Err(domain::Error::from(faults).into()) }
}

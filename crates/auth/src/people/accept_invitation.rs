//! Accepting an invitation: a person who has the link and their password, or chooses one if they have none, becomes a
//! member who can sign in.
//!
//! E-mail addresses are not verified here, and a person may be known from another organization. So an invitation never
//! changes an existing password: otherwise an organization could invite a person known from another one, set "their"
//! password and sign in there. An existing password must be right, and failures are throttled as at sign-in, because
//! anyone may be invited.

use crate::secret::{OfInvitation, Sent};
use db::Tx;
use domain::Line;
use domain::invitation::Invitation;
use domain::person::Member;
use domain::{Faults, OrgId};
use macros::Body;
use macros::boxed;
use store::invitations::Proof;

use super::password::Password;
use super::refused_sign_in::count_refused_sign_in;
use super::session::throttled_name;
use crate::auth::Auth;
use crate::error::{Error, Result};
use crate::secret::InvitationToken;
use crate::source::Source;

/// The token of an invitation, and the password of the person who accepts it.
#[derive(Body)]
#[body(name = "AcceptInvitation")]
pub struct Accept {
    /// The part of the invitation's link after `#`.
    #[body(example = "bwi_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm")]
    pub token: Sent<OfInvitation>,
    /// At least 12 characters, in the form NFKC of Unicode. It becomes the person's password. If the person already has a password, from another
    /// organization of this service, it must be that one.
    #[body(example = "correct horse battery")]
    pub password: Password,
    /// The display name, if it shall differ from the name in the invitation.
    #[body(example = "Ada King")]
    pub name: Option<Line>,
}

/// Accepts an invitation. Returns the organization and the member who can now sign in to it.
#[boxed]
pub async fn accept_invitation(auth: &Auth, asked: Accept, source: &Source) -> Result<(OrgId, Member)> {
    let token = asked.token.0.ok_or(Error::InvitationNotValid)?;
    let (organization, invitation) = invited(auth, &token).await?;
    // The same rules apply whether a password exists or not: the response must not reveal it.
    check_password(&asked.password, asked.name.as_deref(), &invitation)?;
    let proof = prove_person(auth, organization, &invitation, asked.password, source).await?;
    let (name, request_id, hash) = (asked.name, source.request_id().to_owned(), token.hash());
    let accepted: store::Result<Option<Member>> = auth
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
#[boxed]
pub async fn invited(auth: &Auth, token: &InvitationToken) -> Result<(OrgId, Invitation)> {
    let mut read = auth.db.read().await?;
    let found = store::invitations::find(&mut read, &token.hash(), auth.now()).await?;
    found.ok_or(Error::InvitationNotValid)
}

async fn prove_person(
    auth: &Auth,
    organization: OrgId,
    invitation: &Invitation,
    password: Password,
    source: &Source,
) -> Result<Proof> {
    let (from, request_id) = (source.address, source.request_id());
    let name = throttled_name(&invitation.email);
    auth.throttle.check(&name, from, auth.now())?;
    let mut read = auth.db.read().await?;
    let known = store::people::credentials(&mut read, organization, &invitation.email).await?;
    drop(read);
    let permit = auth.passwords.permit().await?;
    auth.throttle.check(&name, from, auth.now())?;
    let Some((person, stored)) = known.and_then(|known| known.hash.clone().map(|hash| (known, hash))) else {
        return Ok(Proof::Chosen(permit.store(password).await?));
    };
    if !permit.check(password, Some(stored)).await?.is_right {
        auth.throttle.failed(&name, from, auth.now());
        let reason = "wrong password";
        tracing::warn!(target: "security", %organization, address = %from, request_id, reason, "invitation not accepted");
        count_refused_sign_in(auth, Some(person.person)).await?;
        return Err(Error::InvalidCredentials);
    }
    Ok(Proof::Right { person: person.person, version: person.version })
}

fn check_password(password: &Password, name: Option<&str>, invitation: &Invitation) -> Result<()> {
    let mut faults = Faults::new();
    let known = [name.unwrap_or(&invitation.name), &invitation.name, &invitation.email];
    domain::password::chosen(password.expose(), known, "#/password", &mut faults);
    if faults.is_empty() { Ok(()) } else { Err(domain::Error::from(faults).into()) }
}

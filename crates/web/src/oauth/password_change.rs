//! A signed-in person changes their own password.

use db::Tx;
use domain::person::Member;
use domain::{Author, Faults, OrgId, ResourceKind, SessionId, UserId};

use super::AuthorizationServer;
use super::password::Password;
use super::refusals::Source;
use super::session::throttled_name;
use crate::http::error::{Error, Result};

/// The data of a password change.
pub(crate) struct PasswordChange {
    /// The organization of the session.
    pub(crate) organization: OrgId,
    /// The person whose password changes.
    pub(crate) person: UserId,
    /// The session that continues.
    pub(crate) session: SessionId,
    /// The current password.
    pub(crate) old: Password,
    /// The new password.
    pub(crate) new: Password,
}

impl AuthorizationServer {
    /// Changes the password of a person who knows the current one. A wrong one counts as a failed sign-in: otherwise a
    /// session that was left open could be used to guess it.
    pub(crate) async fn change_password(
        &self,
        asked: PasswordChange,
        author: Author,
        source: &Source,
    ) -> Result<()> {
        let PasswordChange { organization, person, session, old, new } = asked;
        let mut read = self.db.read().await?;
        let member = store::people::get(&mut read, organization, person).await?;
        let Member { person, .. } = member.ok_or(Error::not_found(ResourceKind::User))?;
        let known = store::people::credentials(&mut read, organization, &person.email).await?;
        let known = known.ok_or(Error::not_found(ResourceKind::User))?;
        drop(read);
        let mut faults = Faults::new();
        domain::password::chosen(new.expose(), [person.name.as_str(), &person.email], "#/new", &mut faults);
        faults.or(())?;
        let (from, name) = (source.address, throttled_name(&person.email));
        self.throttle.check(&name, from, self.now())?;
        let turn = self.passwords.turn().await?;
        // Other attempts may have failed while this one waited.
        self.throttle.check(&name, from, self.now())?;
        if !turn.check(old, known.hash.clone()).await?.is_right {
            self.throttle.failed(&name, from, self.now());
            let (request_id, reason) = (source.request_id(), "wrong password");
            tracing::warn!(target: "security", %organization, address = %from, request_id, reason, "password not changed");
            self.count_refused_sign_in(Some(known.person)).await?;
            return Err(Error::InvalidCredentials);
        }
        self.throttle.succeeded(&name, from);
        let hash = self.passwords.turn().await?.store(new).await?;
        let changed: store::Result<()> = self
            .db
            .write_instance(async move |tx: &mut Tx| {
                store::people::change_own_password(tx, organization, &author, &known, session, &hash).await
            })
            .await;
        Ok(changed?)
    }
}

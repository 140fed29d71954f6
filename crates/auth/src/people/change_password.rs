//! A signed-in person changes their own password.

use super::password::{KNOWN, read_known};
use db::Tx;
use domain::person::Member;
use domain::{Author, Faults, OrgId, ResourceKind, SessionId, UserId};
use macros::Body;
use macros::boxed;

use super::password::Password;
use super::refused_sign_in::count_refused_sign_in;
use super::session::throttled_name;
use crate::auth::Auth;
use crate::error::{Error, Result};
use crate::source::Source;

/// The data of a password change.
pub struct PasswordChange {
    /// The organization that knows the person.
    pub organization: OrgId,
    /// The person whose password changes.
    pub person: UserId,
    /// The session that continues, and what it belongs to: an organization, or the instance if it is one of the
    /// console.
    pub session: (OrgId, SessionId),
    /// The current password.
    pub old: Password,
    /// The new password.
    pub new: Password,
}

/// A new password and the current one.
#[derive(Body)]
#[body(name = "PasswordChange")]
pub struct Passwords {
    /// The current password.
    #[body(read = read_known, schema = KNOWN, example = "correct horse battery")]
    pub old: Password,
    /// The new password: at least 12 characters, in the form NFKC of Unicode.
    #[body(example = "another horse battery")]
    pub new: Password,
}

/// Changes the password of a person who knows the current one. A wrong one counts as a failed sign-in: otherwise a
/// session that was left open could be used to guess it.
#[boxed]
pub async fn change_password(
    auth: &Auth,
    asked: PasswordChange,
    author: Author,
    source: &Source,
) -> Result<()> {
    let PasswordChange { organization, person, session, old, new } = asked;
    let mut read = auth.db.read().await?;
    let member = store::people::get(&mut read, organization, person).await?;
    let Member { person, .. } = member.ok_or(domain::Error::NotFound(ResourceKind::User))?;
    let known = store::people::credentials(&mut read, organization, &person.email).await?;
    let known = known.ok_or(domain::Error::NotFound(ResourceKind::User))?;
    drop(read);
    let mut faults = Faults::new();
    domain::password::chosen(new.expose(), [person.name.as_str(), &person.email], "#/new", &mut faults);
    faults.or(())?;
    let (from, name) = (source.address, throttled_name(&person.email));
    auth.throttle.check(&name, from, auth.now())?;
    let permit = auth.passwords.permit().await?;
    // Other attempts may have failed while this one waited.
    auth.throttle.check(&name, from, auth.now())?;
    if !permit.check(old, known.hash.clone()).await?.is_right {
        auth.throttle.failed(&name, from, auth.now());
        let (request_id, reason) = (source.request_id(), "wrong password");
        tracing::warn!(target: "security", %organization, address = %from, request_id, reason, "password not changed");
        count_refused_sign_in(auth, Some(known.person)).await?;
        return Err(Error::InvalidCredentials);
    }
    auth.throttle.succeeded(&name, from);
    let hash = auth.passwords.permit().await?.store(new).await?;
    let changed: store::Result<()> = auth
        .db
        .write_instance(async move |tx: &mut Tx| {
            let (of, id) = session;
            store::people::change_own_password(tx, of, &author, &known, id, &hash).await
        })
        .await;
    Ok(changed?)
}

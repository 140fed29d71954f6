//! Choosing another password with a reset link, which an admin of the person's only organization has made.

use crate::secret::{OfResetLink, Sent};
use db::Tx;
use domain::person::Member;
use domain::{Faults, OrgId};
use macros::Body;
use macros::boxed;
use store::reset_links::Usable;

use super::password::Password;
use crate::auth::Auth;
use crate::error::{Error, Result};
use crate::secret::ResetToken;
use crate::source::Source;

/// The name under which unknown tokens are counted; it is no client and no person.
const RESET_LINK: &str = "reset-link";

/// The token of a reset link, and the password that its person chooses.
#[derive(Body)]
#[body(name = "UseResetLink")]
pub struct Reset {
    /// The part of the reset link after `#`.
    #[body(example = "bwr_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm")]
    pub token: Sent<OfResetLink>,
    /// At least 12 characters, in the form NFKC of Unicode. It becomes the person's password.
    #[body(example = "correct horse battery")]
    pub password: Password,
}

/// Gives the person of a reset link the password that they chose, and ends their sessions. Returns the organization that
/// made the link, and its member.
#[boxed]
pub async fn reset_password(auth: &Auth, asked: Reset, source: &Source) -> Result<(OrgId, Member)> {
    let token = asked.token.0.ok_or(Error::ResetLinkNotValid)?;
    let (organization, member) = reset_for(auth, &token, source).await?;
    let mut faults = Faults::new();
    let known = [member.person.name.as_str(), &member.person.email];
    domain::password::chosen(asked.password.expose(), known, "#/password", &mut faults);
    faults.or(())?;
    let password = auth.passwords.permit().await?.store(asked.password).await?;
    let (request_id, hash) = (source.request_id().to_owned(), token.hash());
    let set: store::Result<Option<Member>> = auth
        .db
        .write_instance(async move |tx: &mut Tx| {
            store::reset_links::redeem(tx, organization, &request_id, &hash, &password).await
        })
        .await;
    Ok((organization, set?.ok_or(Error::ResetLinkNotValid)?))
}

/// The organization that made the link with this token, and the member whose password it replaces. An address that tries
/// tokens which are not valid has to wait, as with other secrets.
#[boxed]
pub async fn reset_for(auth: &Auth, token: &ResetToken, source: &Source) -> Result<(OrgId, Member)> {
    let (from, now) = (source.address, auth.now());
    auth.throttle.check(RESET_LINK, from, now)?;
    let found = store::reset_links::find(&mut auth.db.read().await?, &token.hash(), now).await?;
    let Some(Usable { organization, member, .. }) = found else {
        auth.throttle.failed(RESET_LINK, from, now);
        let (request_id, reason) = (source.request_id(), "no such link is open");
        tracing::warn!(target: "security", address = %from, request_id, reason, "reset link refused");
        return Err(Error::ResetLinkNotValid);
    };
    Ok((organization, member))
}

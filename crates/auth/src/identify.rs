//! Identifying the caller of a request by its bearer token.

use crate::auth::Auth;
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::people::session;
use crate::source::Source;
use crate::tokens::verify;
use macros::boxed;

/// The caller with this bearer token. A refusal is recorded.
#[boxed]
pub async fn identify(auth: &Auth, token: &str, source: &Source) -> Result<Caller> {
    let known = match session::is_session_token(token) {
        true => session::caller(auth, token).await?,
        false => verify::caller(auth, token).await?,
    };
    known.map_err(|refused| {
        auth.refusals.note(&refused, source);
        Error::Unauthenticated
    })
}

//! Access tokens: JWTs as of RFC 9068 (`typ: at+jwt`), valid for 900 seconds.

use domain::scope::Scopes;
use jiff::Timestamp;
use uuid::Uuid;

use super::claims::Claims;
use crate::grant::Grant;
use crate::keys::jwt::{self, Key};
use crate::lifetimes::ACCESS_TOKEN_SECONDS;
use crate::public_url::PublicUrl;
use crate::refusals::{Reason, Refused};

/// The `typ` in the header (RFC 9068, section 2.1).
const TYPE: &str = "at+jwt";

/// The content of a valid access token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AccessToken {
    /// To whom it was issued, and with which secret.
    pub(super) grant: Grant,
    /// The scopes.
    pub(super) scopes: Scopes,
    /// The token's id.
    pub(super) jti: Uuid,
    /// When it was issued, in seconds since the epoch.
    pub(super) issued: i64,
    /// When it expires, in seconds since the epoch.
    pub(super) expires: i64,
}

/// Signs an access token that is valid from `now`. `jti` identifies it in the log.
pub(super) fn mint(
    issuer: &PublicUrl,
    key: &Key,
    grant: &Grant,
    scopes: Scopes,
    now: Timestamp,
    jti: Uuid,
) -> Result<String, domain::Error> {
    let issued = now.as_second();
    let times = (issued, issued.saturating_add(ACCESS_TOKEN_SECONDS));
    jwt::sign(key, TYPE, &Claims::new(issuer, grant, scopes, times, jti))
}

/// Verifies an access token.
pub(super) fn verify<'k>(
    issuer: &PublicUrl,
    find: impl FnOnce(&str) -> Option<&'k Key>,
    token: &str,
    now: Timestamp,
) -> Result<AccessToken, Refused> {
    let token = read(issuer, find, token)
        .map_err(|detail| Refused::new(Reason::AccessTokenInvalid).detail(detail))?;
    match jwt::check_times(token.issued, token.expires, now.as_second()) {
        Ok(()) => Ok(token),
        Err(detail) => {
            Err(Refused::new(Reason::AccessTokenExpired).detail(detail).token(&token.grant, token.jti))
        }
    }
}

/// Reads an access token of this service, expired or not. The error gives the reason for the log.
fn read<'k>(
    issuer: &PublicUrl,
    find: impl FnOnce(&str) -> Option<&'k Key>,
    token: &str,
) -> Result<AccessToken, &'static str> {
    let claims: Claims = jwt::verify(token, TYPE, find)?;
    if claims.iss != issuer.as_str() {
        return Err("wrong issuer");
    }
    if claims.aud != issuer.api() {
        return Err("wrong audience");
    }
    if !claims.is_of_client() {
        return Err("wrong subject");
    }
    Ok(AccessToken {
        grant: claims.grant(),
        scopes: claims.scopes()?,
        jti: claims.jti,
        issued: claims.iat,
        expires: claims.exp,
    })
}

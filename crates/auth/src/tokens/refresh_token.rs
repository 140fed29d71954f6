//! Refresh tokens: JWTs with a type (`rt+jwt`), audience and key of their own, valid for 7 days. Only this service
//! reads them, so they are signed with a symmetric key, which is not among the public keys.
//!
//! `rotation.rs` handles refresh tokens that are presented.

use domain::scope::Scopes;
use jiff::Timestamp;
use uuid::Uuid;

use super::claims::Claims;
use crate::grant::Grant;
use crate::keys::jwt::{self, Key};
use crate::lifetimes::REFRESH_TOKEN_SECONDS;
use crate::public_url::PublicUrl;
use crate::refusals::{Reason, Refused};

/// The `typ` in the header: explicit, so that no other token can be used instead (RFC 8725, section 3.11).
const TYPE: &str = "rt+jwt";

/// The content of a refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RefreshToken {
    /// To whom it was issued, and with which secret.
    pub(super) grant: Grant,
    /// The maximum scopes of its access tokens.
    pub(super) scopes: Scopes,
    /// The generation within the family, from 1.
    pub(super) generation: i64,
    /// The token's id.
    pub(super) jti: Uuid,
    /// When it was issued, in seconds since the epoch.
    pub(super) issued: i64,
    /// When it expires, in seconds since the epoch.
    pub(super) expires: i64,
}

impl RefreshToken {
    /// The first token of a new family.
    pub(super) fn first(grant: Grant, scopes: Scopes, now: Timestamp, jti: Uuid) -> Self {
        let issued = now.as_second();
        let expires = issued.saturating_add(REFRESH_TOKEN_SECONDS);
        Self { grant, scopes, generation: 1, jti, issued, expires }
    }

    /// Signs it. The same content and key always give the same token, byte for byte; the grace period in `rotation.rs`
    /// relies on that.
    pub(super) fn mint(&self, issuer: &PublicUrl, key: &Key) -> Result<String, domain::Error> {
        let times = (self.issued, self.expires);
        let claims = Claims::new(issuer, &self.grant, self.scopes, times, self.jti);
        jwt::sign(key, TYPE, &claims.of_refresh(self.generation))
    }

    /// Verifies a refresh token.
    pub(super) fn verify<'k>(
        issuer: &PublicUrl,
        find: impl FnOnce(&str) -> Option<&'k Key>,
        token: &str,
        now: Timestamp,
    ) -> Result<Self, Refused> {
        let token = Self::read(issuer, find, token)
            .map_err(|detail| Refused::new(Reason::RefreshTokenInvalid).detail(detail))?;
        match jwt::check_times(token.issued, token.expires, now.as_second()) {
            Ok(()) => Ok(token),
            Err(detail) => {
                Err(Refused::new(Reason::RefreshTokenExpired).detail(detail).token(&token.grant, token.jti))
            }
        }
    }

    /// Reads a refresh token of this service, expired or not. The error gives the reason for the log.
    fn read<'k>(
        issuer: &PublicUrl,
        find: impl FnOnce(&str) -> Option<&'k Key>,
        token: &str,
    ) -> Result<Self, &'static str> {
        let claims: Claims = jwt::verify(token, TYPE, find)?;
        if claims.iss != issuer.as_str() || claims.aud != issuer.as_str() {
            return Err("wrong issuer or audience");
        }
        Ok(Self {
            grant: claims.grant(),
            scopes: claims.scopes()?,
            generation: claims.generation.ok_or("no generation")?,
            jti: claims.jti,
            issued: claims.iat,
            expires: claims.exp,
        })
    }
}

//! Refresh tokens: JWTs of their own type (`rt+jwt`), audience and key that live 7 days. Only this
//! service reads them, so a symmetric key signs them and it never appears among the public keys.
//!
//! What becomes of a presented refresh token is decided in `rotation.rs`.

use domain::ids::{ClientId, FamilyId, OrgId};
use domain::scope::Scopes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::jwt::{self, Key};
use super::refusals::{Reason, Refused};
use super::{Grant, Issuer};

/// Life of a refresh token in seconds, fixed by the interface.
pub const LIFETIME_SECONDS: i64 = 7 * 24 * 60 * 60;

/// The header's type: explicit, so that no other token can stand in (RFC 8725, section 3.11).
const TYPE: &str = "rt+jwt";

/// The claims of a refresh token as they stand in it.
#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    /// The issuer itself, not the API: it is spent at the token endpoint only.
    aud: String,
    sub: String,
    client_id: String,
    org: Uuid,
    fid: Uuid,
    /// TokenGeneration in the family, from 1.
    #[serde(rename = "gen")]
    generation: i64,
    cred: Uuid,
    scope: String,
    iat: i64,
    exp: i64,
    jti: Uuid,
}

/// A refresh token's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RefreshToken {
    /// Whom it was given to, and through what.
    pub(super) grant: Grant,
    /// What its access tokens may allow at most.
    pub(super) scopes: Scopes,
    /// TokenGeneration in the family, from 1.
    pub(super) generation: i64,
    /// Its own name.
    pub(super) jti: Uuid,
    /// When it was issued, in seconds since the epoch.
    pub(super) issued: i64,
    /// When it ends, in seconds since the epoch.
    pub(super) expires: i64,
}

impl RefreshToken {
    /// The first of a new family.
    pub(super) fn first(grant: Grant, scopes: Scopes, now: Timestamp, jti: Uuid) -> Self {
        let issued = now.as_second();
        let expires = issued.saturating_add(LIFETIME_SECONDS);
        Self { grant, scopes, generation: 1, jti, issued, expires }
    }

    /// Signs it. The same content and key give the same token again, byte for byte; the grace in
    /// `rotation.rs` rests on that.
    pub(super) fn mint(&self, issuer: &Issuer, key: &Key) -> Result<String, domain::Error> {
        let claims = Claims {
            iss: issuer.url().to_owned(),
            aud: issuer.url().to_owned(),
            sub: self.grant.client.as_str().to_owned(),
            client_id: self.grant.client.as_str().to_owned(),
            org: self.grant.organization.uuid(),
            fid: self.grant.family.uuid(),
            generation: self.generation,
            cred: self.grant.credential,
            scope: self.scopes.to_string(),
            iat: self.issued,
            exp: self.expires,
            jti: self.jti,
        };
        jwt::sign(key, TYPE, &claims)
    }

    /// Verifies a refresh token.
    pub(super) fn verify<'k>(
        issuer: &Issuer,
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

    /// Reads a refresh token of ours, of whatever age. The error says, for the log, what was wrong.
    fn read<'k>(
        issuer: &Issuer,
        find: impl FnOnce(&str) -> Option<&'k Key>,
        token: &str,
    ) -> Result<Self, &'static str> {
        let claims: Claims = jwt::verify(token, TYPE, find)?;
        if claims.iss != issuer.url() || claims.aud != issuer.url() {
            return Err("wrong issuer or audience");
        }
        Ok(Self {
            grant: Grant {
                organization: OrgId(claims.org),
                client: ClientId(claims.client_id),
                credential: claims.cred,
                family: FamilyId(claims.fid),
            },
            scopes: Scopes::parse(&claims.scope).map_err(|_| "unknown scope")?,
            generation: claims.generation,
            jti: claims.jti,
            issued: claims.iat,
            expires: claims.exp,
        })
    }
}

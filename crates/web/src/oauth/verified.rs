//! The cache of verified access tokens: a cached token costs a hash instead of a signature check.
//!
//! Entries are keyed by the SHA-256 of the token and stay until the token expires; the cache is bounded. The deny-list
//! is checked every time, so that a revocation needs no search through the cache and cannot race with a new entry.
//! Each time it is also checked whether the key that signed the token still exists and whether the client was renamed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use db::Db;
use domain::{Actor, ActorKind};
use jiff::Timestamp;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::AuthorizationServer;
use super::access_token::{self, AccessToken};
use super::caller::Caller;
use super::jwt;
use super::refresh_token::RefreshToken;
use super::refusals::{Reason, Refused};

/// A verified token and its caller.
#[derive(Clone)]
struct Entry {
    /// The name of the key that signed it.
    kid: Arc<str>,
    token: AccessToken,
    caller: Caller,
    /// When the client had last been renamed, as known before it was read: another time now means another name.
    renamed: Option<Timestamp>,
}

/// The cache, with a count of the signature checks.
pub(super) struct VerifiedTokens {
    cache: Cache<[u8; 32], Entry>,
    verifications: AtomicU64,
}

impl VerifiedTokens {
    /// A cache for this many tokens.
    pub(super) fn new(capacity: usize) -> Self {
        Self { cache: Cache::new(capacity), verifications: AtomicU64::new(0) }
    }
}

impl AuthorizationServer {
    /// The number of access token signatures checked so far, for the tests and the metrics.
    pub fn signature_verifications(&self) -> u64 {
        self.verified.verifications.load(Ordering::Relaxed)
    }

    /// The caller with this token. The outer error is an internal one; the inner one is the reason why the token is
    /// refused.
    pub(super) async fn verified(&self, token: &str) -> domain::Result<Result<Caller, Refused>> {
        let now = self.now();
        let hash: [u8; 32] = Sha256::digest(token).into();
        if let Some(entry) = self.verified.cache.get(&hash) {
            if entry.token.expires <= now.as_second() {
                self.verified.cache.remove(&hash);
                return Ok(Err(refused(&entry.token, Reason::AccessTokenExpired, "expired")));
            }
            if self.keys().verifying(&entry.kid).is_none() {
                self.verified.cache.remove(&hash);
                return Ok(Err(refused(&entry.token, Reason::AccessTokenInvalid, "its key is deleted")));
            }
            if self.denied.denies(&entry.token) {
                return Ok(Err(refused(&entry.token, Reason::AccessTokenRevoked, "on the deny-list")));
            }
            if self.denied.renamed(&entry.token.grant.client) == entry.renamed {
                return Ok(Ok(entry.caller));
            }
            return self.remember(hash, entry.kid, entry.token).await;
        }
        self.verified.verifications.fetch_add(1, Ordering::Relaxed);
        let kid: Arc<str> = jwt::key_name(token).unwrap_or_default().into();
        let token = match self.read_access_token(token, now).await {
            Ok(token) => token,
            Err(refused) => return Ok(Err(refused)),
        };
        if self.denied.denies(&token) {
            return Ok(Err(refused(&token, Reason::AccessTokenRevoked, "on the deny-list")));
        }
        self.remember(hash, kid, token).await
    }

    /// Loads the caller with a valid token, and caches both.
    async fn remember(
        &self,
        hash: [u8; 32],
        kid: Arc<str>,
        token: AccessToken,
    ) -> domain::Result<Result<Caller, Refused>> {
        // Read before the client: if a renaming becomes known in between, the entry is out of date.
        let renamed = self.denied.renamed(&token.grant.client);
        match load_caller(&self.db, &token).await? {
            Ok(caller) => {
                self.verified.cache.insert(hash, Entry { kid, token, caller: caller.clone(), renamed });
                Ok(Ok(caller))
            }
            Err((reason, detail)) => Ok(Err(refused(&token, reason, detail))),
        }
    }

    /// Reads an access token of this service that has not expired.
    pub(super) async fn read_access_token(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<AccessToken, Refused> {
        let keys = self.keys_for(token).await;
        access_token::verify(&self.issuer, |kid| keys.verifying(kid), token, now)
    }

    /// Reads a refresh token of this service that has not expired.
    pub(super) async fn read_refresh_token(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<RefreshToken, Refused> {
        let keys = self.keys_for(token).await;
        RefreshToken::verify(&self.issuer, |kid| keys.refreshing(kid), token, now)
    }
}

fn refused(token: &AccessToken, reason: Reason, detail: &'static str) -> Refused {
    Refused::new(reason).token(&token.grant, token.jti).detail(detail)
}

/// Loads the client's name, which the token does not contain, and checks whether client and secret are still valid:
/// the token may be older than this process and its deny-list.
async fn load_caller(db: &Db, token: &AccessToken) -> domain::Result<Result<Caller, (Reason, &'static str)>> {
    let grant = &token.grant;
    let mut read = db.read().await.map_err(|error| store::Error::from(error).0)?;
    let record =
        store::clients::load(&mut read, grant.organization, &grant.client).await.map_err(|error| error.0)?;
    let Some(record) = record else { return Ok(Err((Reason::AccessTokenRevoked, "unknown client"))) };
    if record.disabled_date.is_some() {
        return Ok(Err((Reason::ClientDisabled, "")));
    }
    if !record.secrets.iter().any(|secret| secret.credential == grant.credential) {
        return Ok(Err((Reason::AccessTokenRevoked, "secret deleted")));
    }
    let actor =
        Actor { kind: ActorKind::Client, id: grant.client.as_str().to_owned(), name: record.client.name };
    Ok(Ok(Caller { organization: grant.organization, actor, scopes: token.scopes, session: None }))
}

//! The cache of verified access tokens: a cached token costs a hash instead of a signature check.
//!
//! Entries are keyed by the SHA-256 of the token and stay until the token expires; the cache is bounded. The deny-list
//! is checked every time (`verify.rs`), so that a revocation needs no search through the cache and cannot race with a
//! new entry. Each time it is also checked whether the key that signed the token still exists and whether the client
//! was renamed.

use std::sync::Arc;

use jiff::Timestamp;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::access_token::AccessToken;
use crate::caller::Caller;

/// The SHA-256 of a token.
pub(super) type TokenHash = [u8; 32];

/// The hash of this token.
pub(super) fn hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

/// A verified token and its caller.
#[derive(Clone)]
pub(super) struct VerifiedToken {
    /// The name of the key that signed it.
    pub(super) kid: Arc<str>,
    pub(super) token: AccessToken,
    pub(super) caller: Caller,
    /// When the client had last been renamed, as known before it was read: another time now means another name.
    pub(super) renamed: Option<Timestamp>,
}

/// The cache.
pub(crate) struct VerifiedTokens(Cache<TokenHash, VerifiedToken>);

impl VerifiedTokens {
    /// A cache for this many tokens.
    pub(crate) fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    pub(super) fn get(&self, hash: &TokenHash) -> Option<VerifiedToken> {
        self.0.get(hash)
    }

    pub(super) fn insert(&self, hash: TokenHash, verified: VerifiedToken) {
        self.0.insert(hash, verified);
    }

    pub(super) fn remove(&self, hash: &TokenHash) {
        self.0.remove(hash);
    }
}

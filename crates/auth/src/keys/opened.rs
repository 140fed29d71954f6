//! The signing keys, decrypted: stored encrypted, read at the start and again when they change.
//!
//! Each purpose has a next key (`next`), the one that signs (`active`) and retired ones (`retired`). All of them
//! verify. `plan.rs` decides on the transitions between these states.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use serde_json::Value;
use store::signing_keys::{Purpose, State, StoredKey};

use super::jwt::{Key, Signer};
use super::key_pair::{AccessTokenAlgorithm, PublicKey};
use super::master_key::{MasterKey, SealError};

/// The algorithm of refresh tokens, which only this service reads.
pub(super) const HS256: &str = "HS256";

/// Why the service cannot use its signing keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The master key is not the one that encrypted them.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The database could not be read or written.
    #[error("the signing keys could not be loaded: {0}")]
    Store(domain::Error),
    /// A stored key is not supported by this release.
    #[error("signing key {0} cannot be used: {1}")]
    Unusable(String, &'static str),
    /// The machine's random source fails.
    #[error("a signing key could not be made")]
    NotMade,
    /// Other processes changed the keys in every attempt.
    #[error("the signing keys are being changed elsewhere; try again")]
    Busy,
}

impl From<store::Error> for KeysError {
    fn from(error: store::Error) -> Self {
        Self::Store(error.0)
    }
}

/// All keys of the instance, decrypted.
pub struct Keys {
    /// Signs access tokens.
    pub(crate) signing: Key,
    /// Signs refresh tokens.
    pub(crate) refresh: Key,
    /// The keys that verify access tokens, by name.
    access: HashMap<String, Key>,
    /// The keys that verify refresh tokens, by name.
    refreshing: HashMap<String, Key>,
    /// The public keys, each a JWK.
    published: Vec<Value>,
    /// The rows they were read from.
    stored: Vec<StoredKey>,
}

impl Keys {
    /// The key with this name for access tokens.
    pub(crate) fn verifying(&self, kid: &str) -> Option<&Key> {
        self.access.get(kid)
    }

    /// The key with this name for refresh tokens.
    pub(crate) fn refreshing(&self, kid: &str) -> Option<&Key> {
        self.refreshing.get(kid)
    }

    /// Whether a key with this name is known.
    pub(super) fn knows(&self, kid: &str) -> bool {
        self.access.contains_key(kid) || self.refreshing.contains_key(kid)
    }

    /// The rows they were read from.
    pub(super) fn stored(&self) -> &[StoredKey] {
        &self.stored
    }

    /// The public keys, as they are published: the next one, the active one and the retired ones.
    pub fn published(&self) -> &[Value] {
        &self.published
    }

    /// Decrypts stored keys.
    pub(super) fn open(stored: Vec<StoredKey>, master: &MasterKey) -> Result<Self, KeysError> {
        let (mut signing, mut refresh, mut published) = (None, None, Vec::new());
        let (mut access, mut refreshing) = (HashMap::new(), HashMap::new());
        for row in &stored {
            let secret = master.unseal(&row.kid, &row.sealed)?;
            let is_active = row.state == State::Active;
            match row.purpose {
                Purpose::Access => {
                    let (key, public) = open_pair(row, &secret)?;
                    published.push(public);
                    signing = if is_active { Some(key.clone()) } else { signing };
                    access.insert(row.kid.clone(), key);
                }
                Purpose::Refresh => {
                    let key = open_shared(row, &secret)?;
                    refresh = if is_active { Some(key.clone()) } else { refresh };
                    refreshing.insert(row.kid.clone(), key);
                }
            }
        }
        let missing = |purpose: Purpose| KeysError::Unusable(purpose.as_str().to_owned(), "none is active");
        Ok(Self {
            signing: signing.ok_or_else(|| missing(Purpose::Access))?,
            refresh: refresh.ok_or_else(|| missing(Purpose::Refresh))?,
            access,
            refreshing,
            published,
            stored,
        })
    }
}

fn open_pair(row: &StoredKey, secret: &[u8]) -> Result<(Key, Value), KeysError> {
    let unusable = |why| KeysError::Unusable(row.kid.clone(), why);
    let algorithm = AccessTokenAlgorithm::ALL.into_iter().find(|known| known.jose() == row.algorithm);
    let algorithm = algorithm.ok_or_else(|| unusable("its algorithm is unknown here"))?;
    let (signer, public) = algorithm.open(secret).ok_or_else(|| unusable("not a key of its algorithm"))?;
    if public.thumbprint() != row.kid {
        return Err(unusable("its name is not its thumbprint"));
    }
    let (kid, decoding) = (row.kid.clone(), PublicKey::decoding(&public));
    let jwk = public.jwk(&row.kid, algorithm);
    Ok((Key { kid, algorithm: algorithm.jsonwebtoken(), signer, decoding }, jwk))
}

fn open_shared(row: &StoredKey, secret: &[u8]) -> Result<Key, KeysError> {
    if row.algorithm != HS256 {
        return Err(KeysError::Unusable(row.kid.clone(), "its algorithm is unknown here"));
    }
    Ok(Key {
        kid: row.kid.clone(),
        algorithm: Algorithm::HS256,
        signer: Signer::Hs256(EncodingKey::from_secret(secret)),
        decoding: DecodingKey::from_secret(secret),
    })
}

/// A random name for a key that only this service uses: the name reveals nothing.
pub(super) fn random_name(random: &dyn Fn(&mut [u8])) -> String {
    let mut name = [0; 16];
    random(&mut name);
    URL_SAFE_NO_PAD.encode(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_used_only_under_its_own_name_and_algorithm() {
        let secret = AccessTokenAlgorithm::Es256.generate().unwrap();
        let (_, public) = AccessTokenAlgorithm::Es256.open(&secret).unwrap();
        let row = |kid: &str, algorithm: &str| StoredKey {
            kid: kid.to_owned(),
            purpose: Purpose::Access,
            algorithm: algorithm.to_owned(),
            state: State::Active,
            sealed: Vec::new(),
            created_date: jiff::Timestamp::UNIX_EPOCH,
            state_date: jiff::Timestamp::UNIX_EPOCH,
        };
        let kid = public.thumbprint();
        assert_eq!(kid.len(), 43);
        assert!(open_pair(&row(&kid, "ES256"), &secret).is_ok());
        for (kid, algorithm) in [("other", "ES256"), (&kid, "RS256"), (&kid, "EdDSA"), (&kid, "HS256")] {
            assert!(open_pair(&row(kid, algorithm), &secret).is_err(), "{kid} {algorithm}");
        }
        assert!(open_pair(&row(&kid, "ES256"), b"junk").is_err());
        assert!(open_shared(&row("k", "HS256"), b"secret").is_ok());
        assert!(open_shared(&row("k", "ES256"), b"secret").is_err());
    }
}

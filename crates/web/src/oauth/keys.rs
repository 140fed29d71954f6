//! The keys that sign tokens: made at the first start, stored sealed, opened at every start.
//!
//! Access tokens are signed with ES256, refresh tokens with HS256. A key may be `next` (not used
//! yet), `active` or `retired` (verifies what it signed); every key in the table verifies.

use std::collections::HashMap;
use std::sync::Arc;

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use db::Db;
use domain::{Actor, ActorKind, Author};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use sha2::{Digest, Sha256};
use store::signing_keys::{self, StoredKey};
use zeroize::Zeroizing;

use super::jwt::{Key, Signer};
use super::seal::{MasterKey, SealError};

const ACCESS: &str = "access";
const REFRESH: &str = "refresh";
const ACTIVE: &str = "active";
const ES256: &str = "ES256";
const HS256: &str = "HS256";

/// Why the service cannot start: it has no keys to sign with.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The master key is not the one that sealed them.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The database could not be read or written.
    #[error("the signing keys could not be loaded: {0}")]
    Store(domain::Error),
    /// A stored key is of no use to this release.
    #[error("signing key {0} cannot be used: {1}")]
    Unusable(String, &'static str),
}

impl From<store::Error> for KeysError {
    fn from(error: store::Error) -> Self {
        Self::Store(error.0)
    }
}

/// All keys of the instance.
pub(crate) struct Keys {
    /// Signs access tokens.
    pub(super) signing: Key,
    /// Signs and verifies refresh tokens.
    pub(super) refresh: Key,
    /// Verify access tokens, by name.
    verifying: HashMap<String, Key>,
}

impl Keys {
    /// The key of this name for access tokens.
    pub(super) fn verifying(&self, kid: &str) -> Option<&Key> {
        self.verifying.get(kid)
    }

    /// Loads the keys, and makes them at the first start. Two processes that start at once agree: the
    /// second to write finds the first one's.
    pub(crate) async fn load_or_create(db: &Db, master: &MasterKey) -> Result<Self, KeysError> {
        let mut read = db.read().await.map_err(store::Error::from)?;
        let stored = signing_keys::list(&mut read).await?;
        drop(read);
        let stored = if is_complete(&stored) { stored } else { create_missing(db, master).await? };
        Self::open(&stored, master)
    }

    fn open(stored: &[StoredKey], master: &MasterKey) -> Result<Self, KeysError> {
        let (mut signing, mut refresh, mut verifying) = (None, None, HashMap::new());
        for row in stored {
            let secret = master.unseal(&row.kid, &row.sealed)?;
            let key = usable(row, &secret)?;
            let active = row.state == ACTIVE;
            match row.purpose.as_str() {
                ACCESS => {
                    if active {
                        signing = Some(key.clone());
                    }
                    verifying.insert(row.kid.clone(), key);
                }
                REFRESH if active => refresh = Some(key),
                _ => {}
            }
        }
        let missing = |purpose: &str| KeysError::Unusable(purpose.to_owned(), "none is active");
        Ok(Self {
            signing: signing.ok_or_else(|| missing(ACCESS))?,
            refresh: refresh.ok_or_else(|| missing(REFRESH))?,
            verifying,
        })
    }
}

fn is_complete(stored: &[StoredKey]) -> bool {
    [ACCESS, REFRESH]
        .iter()
        .all(|purpose| stored.iter().any(|key| key.purpose == *purpose && key.state == ACTIVE))
}

async fn create_missing(db: &Db, master: &MasterKey) -> Result<Vec<StoredKey>, KeysError> {
    let random = &**db.random();
    let at = db.clock()();
    let new = |purpose: &str, algorithm: &str, kid: String, secret: &[u8]| {
        Ok::<_, SealError>(StoredKey {
            sealed: master.seal(&kid, secret, random)?,
            kid,
            purpose: purpose.to_owned(),
            algorithm: algorithm.to_owned(),
            state: ACTIVE.to_owned(),
            created_date: at,
        })
    };
    let (kid, secret) = generate_es256()?;
    let access = new(ACCESS, ES256, kid, &secret)?;
    let mut secret = Zeroizing::new([0; 32]);
    random(secret.as_mut_slice());
    let mut name = [0; 16];
    random(&mut name);
    let refresh = new(REFRESH, HS256, URL_SAFE_NO_PAD.encode(name), secret.as_slice())?;
    let stored = db
        .write_instance(async move |tx: &mut db::Tx| {
            let mut stored = signing_keys::list(tx).await?;
            for key in [&access, &refresh] {
                if !stored.iter().any(|other| other.purpose == key.purpose && other.state == ACTIVE) {
                    signing_keys::create(tx, &author(), key).await?;
                    stored.push(key.clone());
                }
            }
            Ok::<_, store::Error>(stored)
        })
        .await?;
    Ok(stored)
}

/// Makes a P-256 key: its name and its private part in PKCS #8.
fn generate_es256() -> Result<(String, Zeroizing<Vec<u8>>), SealError> {
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(|_| SealError::Cipher)?;
    let document = pair.to_pkcs8v1().map_err(|_| SealError::Cipher)?;
    let kid = thumbprint(pair.public_key().as_ref()).ok_or(SealError::Cipher)?;
    Ok((kid, Zeroizing::new(document.as_ref().to_vec())))
}

/// The name of a P-256 key: its thumbprint (RFC 7638) from the uncompressed public point, which is a
/// 4 and two coordinates of 32 bytes.
fn thumbprint(point: &[u8]) -> Option<String> {
    let (4, coordinates) = point.split_first()? else { return None };
    let (x, y) = coordinates.split_at_checked(32)?;
    let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
    let canonical = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    Some(URL_SAFE_NO_PAD.encode(Sha256::digest(canonical)))
}

fn usable(row: &StoredKey, secret: &[u8]) -> Result<Key, KeysError> {
    let unusable = |why| KeysError::Unusable(row.kid.clone(), why);
    let kid = row.kid.clone();
    match row.algorithm.as_str() {
        ES256 => {
            let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, secret)
                .map_err(|_| unusable("not a P-256 key"))?;
            if thumbprint(pair.public_key().as_ref()).as_deref() != Some(kid.as_str()) {
                return Err(unusable("its name is not its thumbprint"));
            }
            Ok(Key {
                kid,
                algorithm: Algorithm::ES256,
                decoding: DecodingKey::from_ec_der(pair.public_key().as_ref()),
                signer: Signer::Es256(Arc::new(pair)),
            })
        }
        HS256 => Ok(Key {
            kid,
            algorithm: Algorithm::HS256,
            signer: Signer::Hs256(EncodingKey::from_secret(secret)),
            decoding: DecodingKey::from_secret(secret),
        }),
        _ => Err(unusable("its algorithm is unknown here")),
    }
}

fn author() -> Author {
    let actor = Actor { kind: ActorKind::Operator, id: "service".to_owned(), name: "Service".to_owned() };
    Author { actor, request_id: "start".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_is_named_by_its_thumbprint_and_can_be_opened() {
        let (kid, secret) = generate_es256().unwrap();
        assert_eq!(kid.len(), 43);
        let row = |kid: &str, algorithm: &str| StoredKey {
            kid: kid.to_owned(),
            purpose: ACCESS.to_owned(),
            algorithm: algorithm.to_owned(),
            state: ACTIVE.to_owned(),
            sealed: Vec::new(),
            created_date: jiff::Timestamp::UNIX_EPOCH,
        };
        assert!(usable(&row(&kid, ES256), &secret).is_ok());
        assert!(usable(&row("other", ES256), &secret).is_err());
        assert!(usable(&row(&kid, "XX"), &secret).is_err());
        assert!(usable(&row(&kid, ES256), b"junk").is_err());
    }

    #[test]
    fn the_thumbprint_agrees_with_an_independent_implementation() {
        let (kid, secret) = generate_es256().unwrap();
        let key = EncodingKey::from_ec_der(&secret);
        let jwk = jsonwebtoken::jwk::Jwk::from_encoding_key(&key, Algorithm::ES256).unwrap();
        assert_eq!(jwk.thumbprint(jsonwebtoken::jwk::ThumbprintHash::SHA256).unwrap(), kid);
    }
}

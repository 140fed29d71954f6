//! The service's own keys, and tokens signed with them. `tests/all` uses this file too.

use auth::MasterKey;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use serde_json::Value;
use store::signing_keys::{Purpose, State, StoredKey};
use testkit::TestApp;

/// The service's own keys, decrypted as an attacker could not: each test changes one thing of a valid token, so that
/// this is the only reason for the refusal.
pub(crate) struct Stolen {
    pub(crate) access: EncodingKey,
    pub(crate) refresh: EncodingKey,
    /// The public key as a point, uncompressed.
    pub(crate) public: Vec<u8>,
}

impl Stolen {
    pub(crate) async fn from(app: &TestApp) -> Self {
        let master = MasterKey::generate(&*testkit::seeded(0));
        let rows = store::signing_keys::list(&mut app.db.read().await.unwrap()).await.unwrap();
        let secret = |purpose: Purpose| {
            let is_active = |row: &&StoredKey| row.purpose == purpose && row.state == State::Active;
            let row = rows.iter().find(is_active).unwrap();
            master.unseal(&row.kid, &row.sealed).unwrap()
        };
        let access = secret(Purpose::Access);
        let pair = aws_lc_rs::signature::EcdsaKeyPair::from_pkcs8(
            &aws_lc_rs::signature::ECDSA_P256_SHA256_FIXED_SIGNING,
            &access,
        )
        .unwrap();
        let public = aws_lc_rs::signature::KeyPair::public_key(&pair).as_ref().to_vec();
        Self {
            access: EncodingKey::from_ec_der(&access),
            refresh: EncodingKey::from_secret(&secret(Purpose::Refresh)),
            public,
        }
    }
}

pub(crate) fn signed(header: &Value, claims: &Value, key: &EncodingKey, algorithm: Algorithm) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", part(header), part(claims));
    let signature = crypto::sign(message.as_bytes(), key, algorithm).unwrap();
    format!("{message}.{signature}")
}

pub(crate) fn with(value: &Value, member: &str, new: Value) -> Value {
    let mut value = value.clone();
    value[member] = new;
    value
}

pub(crate) fn without(value: &Value, member: &str) -> Value {
    let mut value = value.clone();
    value.as_object_mut().unwrap().remove(member);
    value
}

/// The header and the claims of a token, unverified.
pub(crate) fn decoded(token: &str) -> (Value, Value) {
    let mut parts = token.split('.').map(|part| URL_SAFE_NO_PAD.decode(part).unwrap());
    let mut next = || serde_json::from_slice(&parts.next().unwrap()).unwrap();
    (next(), next())
}

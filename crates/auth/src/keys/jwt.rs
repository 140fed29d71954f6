//! Signed tokens in compact form (RFC 7515, RFC 7519), as this service writes and reads them.
//!
//! Only the key's name in a token's header is used. It selects a key of this service, and the key determines the
//! algorithm and the type that the token must state. `jwk`, `jku` and `x5u` are ignored, and a token with `crit` is
//! refused, as no extension is supported (RFC 8725 names the attacks).

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{EcdsaKeyPair, Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, crypto};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Longer tokens are refused unread. Tokens of this service are much shorter.
pub(crate) const MAX_LENGTH: usize = 4096;

/// How far in the future a token's time of issue may lie, in seconds: another process with its own clock may have
/// issued it. The expiry has no such leeway.
const CLOCK_LEEWAY_SECONDS: i64 = 30;

/// A key with its name and algorithm.
#[derive(Clone)]
pub(crate) struct Key {
    /// The key id in the header of a token.
    pub(crate) kid: String,
    /// The only algorithm that this key is used with.
    pub(crate) algorithm: Algorithm,
    /// The private part, which signs.
    pub(crate) signer: Signer,
    /// The part that verifies.
    pub(crate) decoding: DecodingKey,
}

/// The private part of a key. The parsed key pair is kept: jsonwebtoken parses the document again for every signature,
/// which takes longer than the signature.
#[derive(Clone)]
pub(crate) enum Signer {
    /// ECDSA on P-256.
    Es256(Arc<EcdsaKeyPair>),
    /// RSA with PKCS #1 v1.5 and SHA-256.
    Rs256(Arc<RsaKeyPair>),
    /// EdDSA on Curve25519.
    Ed25519(Arc<Ed25519KeyPair>),
    /// HMAC with SHA-256.
    Hs256(EncodingKey),
}

impl Signer {
    /// The signature in base64url.
    fn sign(&self, message: &[u8]) -> Result<String, domain::Error> {
        let failed =
            |error: &dyn std::fmt::Display| domain::Error::Internal(format!("signing a token: {error}"));
        match self {
            Self::Es256(pair) => {
                let signature = pair.sign(&SystemRandom::new(), message).map_err(|error| failed(&error))?;
                Ok(URL_SAFE_NO_PAD.encode(signature))
            }
            Self::Rs256(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature)
                    .map_err(|error| failed(&error))?;
                Ok(URL_SAFE_NO_PAD.encode(signature))
            }
            Self::Ed25519(pair) => Ok(URL_SAFE_NO_PAD.encode(pair.sign(message))),
            Self::Hs256(key) => crypto::sign(message, key, Algorithm::HS256).map_err(|error| failed(&error)),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    typ: &'a str,
    alg: Algorithm,
    kid: &'a str,
    #[serde(default, skip_serializing)]
    crit: Option<serde::de::IgnoredAny>,
}

/// Signs claims into a token of the given type.
pub(crate) fn sign(key: &Key, typ: &str, claims: &impl Serialize) -> Result<String, domain::Error> {
    let failed = |error: serde_json::Error| domain::Error::Internal(format!("writing a token: {error}"));
    let header = Header { typ, alg: key.algorithm, kid: &key.kid, crit: None };
    let header = serde_json::to_vec(&header).map_err(failed)?;
    let claims = serde_json::to_vec(claims).map_err(failed)?;
    let mut token = URL_SAFE_NO_PAD.encode(header);
    token.push('.');
    URL_SAFE_NO_PAD.encode_string(claims, &mut token);
    let signature = key.signer.sign(token.as_bytes())?;
    token.push('.');
    token.push_str(&signature);
    Ok(token)
}

/// Verifies a token of the given type and returns its claims. `find` looks up a key by name. The error gives the
/// reason for the log.
pub(crate) fn verify<'k, C: DeserializeOwned>(
    token: &str,
    typ: &str,
    find: impl FnOnce(&str) -> Option<&'k Key>,
) -> Result<C, &'static str> {
    if token.len() > MAX_LENGTH {
        return Err("token too long");
    }
    let mut parts = token.split('.');
    let (Some(header), Some(claims), Some(signature), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err("not three parts");
    };
    let header = URL_SAFE_NO_PAD.decode(header).map_err(|_| "header not base64url")?;
    let header = read_header(&header).ok_or("header not understood")?;
    let key = find(header.kid).ok_or("unknown key")?;
    if header.alg != key.algorithm {
        return Err("wrong algorithm");
    }
    if !is_type(header.typ, typ) {
        return Err("wrong type");
    }
    let message = token.get(..token.len() - signature.len() - 1).ok_or("not three parts")?;
    match crypto::verify(signature, message.as_bytes(), &key.decoding, key.algorithm) {
        Ok(true) => {}
        _ => return Err("wrong signature"),
    }
    let claims = URL_SAFE_NO_PAD.decode(claims).map_err(|_| "claims not base64url")?;
    serde_json::from_slice(&claims).map_err(|_| "claims not understood")
}

/// The key that a token names, unverified: only to check whether it is known.
pub(crate) fn key_name(token: &str) -> Option<String> {
    let (header, _) = token.split_once('.').filter(|_| token.len() <= MAX_LENGTH)?;
    let header = URL_SAFE_NO_PAD.decode(header).ok()?;
    read_header(&header).map(|header| header.kid.to_owned())
}

/// Whether a token issued at `iat` that expires at `exp` is valid at `now`, all in seconds.
pub(crate) fn check_times(iat: i64, exp: i64, now: i64) -> Result<(), &'static str> {
    if exp <= now {
        return Err("expired");
    }
    if iat > now.saturating_add(CLOCK_LEEWAY_SECONDS) {
        return Err("issued in the future");
    }
    Ok(())
}

fn read_header(json: &[u8]) -> Option<Header<'_>> {
    // serde reads an array as a struct too, but a header must be an object.
    let is_object = json.first() == Some(&b'{');
    let header: Header<'_> = is_object.then(|| serde_json::from_slice(json).ok()).flatten()?;
    header.crit.is_none().then_some(header)
}

/// Types are compared without regard to case, with or without `application/` (RFC 9068, section 4).
fn is_type(given: &str, expected: &str) -> bool {
    let short = match given.get(..12) {
        Some(prefix) if prefix.eq_ignore_ascii_case("application/") => given.get(12..).unwrap_or_default(),
        _ => given,
    };
    short.eq_ignore_ascii_case(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kid: &str) -> Key {
        let secret = [7; 32];
        Key {
            kid: kid.to_owned(),
            algorithm: Algorithm::HS256,
            signer: Signer::Hs256(EncodingKey::from_secret(&secret)),
            decoding: DecodingKey::from_secret(&secret),
        }
    }

    /// Signs exactly this header, valid or not.
    fn with_header(key: &Key, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
        let signature = key.signer.sign(message.as_bytes()).unwrap();
        format!("{message}.{signature}")
    }

    fn read(token: &str, key: &Key) -> Result<serde_json::Value, &'static str> {
        verify(token, "at+jwt", |kid| (kid == key.kid).then_some(key))
    }

    #[test]
    fn the_name_of_the_key_is_read_without_trust() {
        let key = key("k");
        let token = sign(&key, "at+jwt", &serde_json::json!({})).unwrap();
        assert_eq!(key_name(&token).as_deref(), Some("k"));
        for junk in ["", ".", "a.b.c", "W10.b.c", &format!("{token}{}", "x".repeat(MAX_LENGTH))] {
            assert_eq!(key_name(junk), None, "{junk}");
        }
    }

    #[test]
    fn a_token_is_read_back() {
        let key = key("k");
        let token = sign(&key, "at+jwt", &serde_json::json!({"a": 1})).unwrap();
        assert_eq!(read(&token, &key), Ok(serde_json::json!({"a": 1})));
    }

    #[test]
    fn the_type_is_compared_without_case_and_with_its_long_form() {
        let key = key("k");
        for typ in ["at+jwt", "AT+JWT", "application/at+jwt", "Application/AT+jwt"] {
            let token = with_header(&key, &format!(r#"{{"typ":"{typ}","alg":"HS256","kid":"k"}}"#), "{}");
            assert!(read(&token, &key).is_ok(), "{typ}");
        }
        for typ in ["JWT", "rt+jwt", "", "application/", "application/jwt", "text/at+jwt"] {
            let token = with_header(&key, &format!(r#"{{"typ":"{typ}","alg":"HS256","kid":"k"}}"#), "{}");
            assert_eq!(read(&token, &key), Err("wrong type"), "{typ}");
        }
    }

    #[test]
    fn a_header_that_is_not_plainly_ours_is_refused() {
        let key = key("k");
        for header in [
            r#"{"typ":"at+jwt","alg":"none","kid":"k"}"#,
            r#"{"typ":"at+jwt","alg":"HS512","kid":"k"}"#,
            r#"{"typ":"at+jwt","alg":"HS256","kid":"other"}"#,
            r#"{"typ":"at+jwt","alg":"HS256"}"#,
            r#"{"alg":"HS256","kid":"k"}"#,
            r#"{"typ":"at+jwt","alg":"HS256","kid":"k","crit":["exp"]}"#,
            r#"{"typ":"at+jwt","alg":"HS256","kid":"k","kid":"k"}"#,
            r#"["at+jwt","HS256","k",null]"#,
            "null",
            "",
        ] {
            assert!(read(&with_header(&key, header, "{}"), &key).is_err(), "{header}");
        }
        let with_jwk = r#"{"typ":"at+jwt","alg":"HS256","kid":"k","jwk":{"kty":"oct","k":""},"jku":"x"}"#;
        assert!(read(&with_header(&key, with_jwk, "{}"), &key).is_ok(), "jwk and jku are not looked at");
    }

    #[test]
    fn three_parts_strict_base64_and_a_length_limit() {
        let key = key("k");
        let token = sign(&key, "at+jwt", &serde_json::json!({"a": 1})).unwrap();
        let unsigned = &token[..=token.rfind('.').unwrap()];
        for wrong in [
            String::new(),
            "..".to_owned(),
            format!("{token}."),
            format!(".{token}"),
            format!("{token}="),
            format!("{token} "),
            token.replace('.', ".\n"),
            unsigned.to_owned(),
            unsigned.trim_end_matches('.').to_owned(),
            format!("{token}{}", "A".repeat(MAX_LENGTH)),
        ] {
            assert!(read(&wrong, &key).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_token_ends_when_it_says() {
        assert_eq!(check_times(100, 1000, 999), Ok(()));
        assert_eq!(check_times(100, 1000, 1000), Err("expired"));
        assert_eq!(check_times(130, 1000, 100), Ok(()));
        assert_eq!(check_times(131, 1000, 100), Err("issued in the future"));
    }
}

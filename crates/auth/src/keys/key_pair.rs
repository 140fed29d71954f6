//! Key pairs for access tokens: generating and parsing them, and publishing the public key, for each algorithm.

use std::sync::Arc;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RsaKeyPair,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::jwt::Signer;

/// The algorithm of access tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AccessTokenAlgorithm {
    /// ECDSA on P-256 with SHA-256: small, fast, and supported by every library.
    #[default]
    Es256,
    /// RSA (PKCS #1 v1.5) with SHA-256 and 2048 bits, for gateways that support nothing else.
    Rs256,
    /// EdDSA on Curve25519.
    Ed25519,
}

impl AccessTokenAlgorithm {
    /// Every algorithm.
    pub const ALL: [Self; 3] = [Self::Es256, Self::Rs256, Self::Ed25519];

    /// The name in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Rs256 => "RS256",
            Self::Ed25519 => "Ed25519",
        }
    }

    /// Parses a name of the settings; `EdDSA` also means Ed25519.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == text || known.jose() == text)
    }

    /// The name in the header of a token and in the key set. Ed25519 keeps the name `EdDSA` (RFC 8037), which RFC 9864
    /// deprecates: verifying libraries support it, and few support `Ed25519` yet.
    pub(super) fn jose(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Rs256 => "RS256",
            Self::Ed25519 => "EdDSA",
        }
    }

    /// The same as a type of jsonwebtoken.
    pub(super) fn jsonwebtoken(self) -> Algorithm {
        match self {
            Self::Es256 => Algorithm::ES256,
            Self::Rs256 => Algorithm::RS256,
            Self::Ed25519 => Algorithm::EdDSA,
        }
    }

    /// Generates a private key in PKCS #8. `None` if the random source of the system fails.
    pub(super) fn generate(self) -> Option<Zeroizing<Vec<u8>>> {
        let document = match self {
            Self::Es256 => {
                let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).ok()?;
                pair.to_pkcs8v1().ok()?.as_ref().to_vec()
            }
            Self::Rs256 => {
                let pair = RsaKeyPair::generate(KeySize::Rsa2048).ok()?;
                AsDer::<Pkcs8V1Der<'static>>::as_der(&pair).ok()?.as_ref().to_vec()
            }
            Self::Ed25519 => Ed25519KeyPair::generate().ok()?.to_pkcs8v1().ok()?.as_ref().to_vec(),
        };
        Some(Zeroizing::new(document))
    }

    /// Parses a private key; `None` if it is not one of this algorithm.
    pub(super) fn open(self, pkcs8: &[u8]) -> Option<(Signer, PublicKey)> {
        match self {
            Self::Es256 => {
                let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8).ok()?;
                let public = PublicKey::P256(pair.public_key().as_ref().try_into().ok()?);
                Some((Signer::Es256(Arc::new(pair)), public))
            }
            Self::Rs256 => {
                let pair = RsaKeyPair::from_pkcs8(pkcs8).ok()?;
                let bytes =
                    |number: aws_lc_rs::io::Positive<'_>| number.big_endian_without_leading_zero().to_vec();
                let public = pair.public_key();
                let public = PublicKey::Rsa { n: bytes(public.modulus()), e: bytes(public.exponent()) };
                Some((Signer::Rs256(Arc::new(pair)), public))
            }
            Self::Ed25519 => {
                let pair = Ed25519KeyPair::from_pkcs8(pkcs8).ok()?;
                let public = PublicKey::Ed25519(pair.public_key().as_ref().try_into().ok()?);
                Some((Signer::Ed25519(Arc::new(pair)), public))
            }
        }
    }
}

/// The public key. It has no field for a private member, so none can be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PublicKey {
    /// The uncompressed point: a 4 and two coordinates of 32 bytes.
    P256([u8; 65]),
    /// Modulus and exponent, big-endian.
    Rsa { n: Vec<u8>, e: Vec<u8> },
    /// The point as in RFC 8032.
    Ed25519([u8; 32]),
}

impl PublicKey {
    /// The members that define the key (RFC 7518, section 6; RFC 8037, section 2), sorted by name.
    fn members(&self) -> Vec<(&'static str, String)> {
        let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        match self {
            Self::P256([_, coordinates @ ..]) => {
                let (x, y) = coordinates.split_at(32);
                vec![("crv", "P-256".to_owned()), ("kty", "EC".to_owned()), ("x", text(x)), ("y", text(y))]
            }
            Self::Rsa { n, e } => vec![("e", text(e)), ("kty", "RSA".to_owned()), ("n", text(n))],
            Self::Ed25519(x) => {
                vec![("crv", "Ed25519".to_owned()), ("kty", "OKP".to_owned()), ("x", text(x))]
            }
        }
    }

    /// The key id: the thumbprint (RFC 7638).
    pub(super) fn thumbprint(&self) -> String {
        // The names and values are plain ASCII; nothing needs an escape.
        let members: Vec<_> =
            self.members().iter().map(|(name, value)| format!(r#""{name}":"{value}""#)).collect();
        URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{{{}}}", members.join(","))))
    }

    /// The key as it is published, a JWK (RFC 7517).
    pub(super) fn jwk(&self, kid: &str, algorithm: AccessTokenAlgorithm) -> Value {
        let about = [("kid", kid), ("use", "sig"), ("alg", algorithm.jose())];
        let about = about.map(|(name, value)| (name, value.to_owned()));
        let members = self.members().into_iter().chain(about);
        Value::Object(members.map(|(name, value)| (name.to_owned(), value.into())).collect::<Map<_, _>>())
    }

    /// The key for verifying with jsonwebtoken.
    pub(super) fn decoding(&self) -> DecodingKey {
        match self {
            Self::P256(point) => DecodingKey::from_ec_der(point),
            Self::Rsa { n, e } => DecodingKey::from_rsa_raw_components(n, e),
            Self::Ed25519(x) => DecodingKey::from_ed_der(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::EncodingKey;
    use jsonwebtoken::jwk::{Jwk, ThumbprintHash};

    use super::*;

    #[test]
    fn a_key_opens_with_its_own_algorithm_only() {
        for algorithm in AccessTokenAlgorithm::ALL {
            let secret = algorithm.generate().unwrap();
            for other in AccessTokenAlgorithm::ALL {
                assert_eq!(other.open(&secret).is_some(), other == algorithm, "{algorithm:?} {other:?}");
            }
            assert!(algorithm.open(b"junk").is_none());
        }
    }

    /// A key and its thumbprint from another implementation.
    #[test]
    fn the_public_half_agrees_with_an_independent_implementation() {
        for (algorithm, encoding) in [
            (AccessTokenAlgorithm::Es256, EncodingKey::from_ec_der as fn(&[u8]) -> EncodingKey),
            (AccessTokenAlgorithm::Ed25519, EncodingKey::from_ed_der),
        ] {
            let secret = algorithm.generate().unwrap();
            let (_, public) = algorithm.open(&secret).unwrap();
            let theirs = Jwk::from_encoding_key(&encoding(&secret), algorithm.jsonwebtoken()).unwrap();
            assert_eq!(theirs.thumbprint(ThumbprintHash::SHA256).unwrap(), public.thumbprint());
            let ours: Jwk = serde_json::from_value(public.jwk("k", algorithm)).unwrap();
            assert_eq!(ours.algorithm, theirs.algorithm);
        }
        // The thumbprint of the example in RFC 7638, section 3.1.
        let n = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
        let public = PublicKey::Rsa { n: URL_SAFE_NO_PAD.decode(n).unwrap(), e: vec![1, 0, 1] };
        assert_eq!(public.thumbprint(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
    }

    #[test]
    fn the_names_of_the_settings_are_read_back() {
        for algorithm in AccessTokenAlgorithm::ALL {
            assert_eq!(AccessTokenAlgorithm::parse(algorithm.as_str()), Some(algorithm));
        }
        assert_eq!(AccessTokenAlgorithm::parse("EdDSA"), Some(AccessTokenAlgorithm::Ed25519));
        for unknown in ["", "none", "HS256", "es256", "RS512"] {
            assert_eq!(AccessTokenAlgorithm::parse(unknown), None, "{unknown}");
        }
    }
}

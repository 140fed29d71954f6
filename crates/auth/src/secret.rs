//! Secrets of every kind: always generated here, and stored only as a hash.
//!
//! A secret consists of a prefix for its kind (`bwk_` for a client's), 32 random base62 characters (190 bits) and six
//! more that are the CRC-32 of everything before them. The checksum rejects mistyped secrets and junk before the
//! database is queried, and lets a secret scanner recognize leaked secrets (docs/tokens.md has the expression). A
//! random secret cannot be guessed from its hash, so plain SHA-256 is enough; a slow hash would only let
//! unauthenticated clients waste processor time.

use std::fmt;
use std::marker::PhantomData;

use domain::json::{FromJson, Json, Pointer};
use domain::schema::{Described, Schema};
use domain::{Faults, text};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::base62::{ALPHABET, push_base62};

const SECRET_RANDOM: usize = 32;
const CHECKSUM: usize = 6;

/// The maximum length of a secret in any release.
const MAX_LENGTH: usize = 128;

/// SHA-256 of a secret, as it is stored.
pub type SecretHash = [u8; 32];

/// The kind of a secret. Each has a prefix of its own, so that one kind is never accepted as another and a secret
/// scanner can distinguish them.
pub trait Kind {
    /// The prefix.
    const PREFIX: &'static str;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal, $alias:ident, $alias_doc:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl Kind for $name {
            const PREFIX: &'static str = $prefix;
        }

        #[doc = $alias_doc]
        pub type $alias = Secret<$name>;
    )*};
}

kinds! {
    /// The secret of an OAuth client.
    OfClient, "bwk_", ClientSecret, "A client's secret.";
    /// The token of a person's session.
    OfSession, "bws_", SessionToken, "The token of a session.";
    /// The token in the link of an invitation.
    OfInvitation, "bwi_", InvitationToken, "The token of an invitation.";
    /// The token in the link with which a person chooses another password.
    OfResetLink, "bwr_", ResetToken, "The token of a reset link.";
}

/// A well-formed secret. It does not print and is wiped when dropped.
pub struct Secret<K>(Zeroizing<String>, PhantomData<fn() -> K>);

impl<K> Clone for Secret<K> {
    fn clone(&self) -> Self {
        Self::of(self.0.clone())
    }
}

/// A secret as it was sent; none if it cannot be one of this kind. It is refused like one that is not valid.
pub struct Sent<K>(pub Option<Secret<K>>);

impl<K: Kind> FromJson for Sent<K> {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        String::from_json(value, at, faults).map(|text| Self(Secret::parse(&text)))
    }
}

impl<K> Described for Sent<K> {
    const SCHEMA: Schema = Schema::text(0, MAX_LENGTH, text::ANY);
}

impl<K> Secret<K> {
    fn of(text: Zeroizing<String>) -> Self {
        Self(text, PhantomData)
    }
}

impl<K: Kind> Secret<K> {
    /// Generates a secret with the random source.
    pub fn generate(random: &dyn Fn(&mut [u8])) -> Self {
        let mut text = String::with_capacity(K::PREFIX.len() + SECRET_RANDOM + CHECKSUM);
        text.push_str(K::PREFIX);
        push_base62(&mut text, SECRET_RANDOM, random);
        let checksum = checksum(&text);
        text.push_str(&checksum);
        Self::of(Zeroizing::new(text))
    }

    /// Parses a secret; `None` if it cannot be one of this kind.
    pub fn parse(text: &str) -> Option<Self> {
        let random = text.strip_prefix(K::PREFIX)?;
        let long_enough = random.len() >= SECRET_RANDOM + CHECKSUM && text.len() <= MAX_LENGTH;
        if !long_enough || !random.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (body, sum) = text.split_at_checked(text.len() - CHECKSUM)?;
        (checksum(body) == sum).then(|| Self::of(Zeroizing::new(text.to_owned())))
    }

    /// The text, to be shown only once, to the caller who created it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The hash that is stored.
    pub fn hash(&self) -> SecretHash {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// Whether this is the secret with the given hash, in constant time.
    pub fn matches(&self, stored: &[u8]) -> bool {
        self.hash().ct_eq(stored).into()
    }
}

impl<K> fmt::Debug for Secret<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Six base62 digits hold any 32-bit number (62^6 > 2^32); the most significant comes first.
fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET.get((rest % 62) as usize).copied().unwrap_or(b'0');
        rest /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base62::counting;

    #[test]
    fn a_secret_has_the_published_form_and_survives_a_round_trip() {
        let random = counting();
        let secret = ClientSecret::generate(&random);
        insta::assert_snapshot!(secret.expose(), @"bwk_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm");
        assert_eq!(secret.expose().len(), 4 + 32 + 6);
        let read = ClientSecret::parse(secret.expose()).unwrap();
        assert_eq!(read.hash(), secret.hash());
        assert!(read.matches(&secret.hash()));
        assert_ne!(ClientSecret::generate(&random).hash(), secret.hash());
        assert_eq!(format!("{secret:?}"), "Secret(..)");
    }

    #[test]
    fn any_single_wrong_character_is_seen_before_the_database_is_asked() {
        let secret = ClientSecret::generate(&counting());
        for place in 0..secret.expose().len() {
            let mut text = secret.expose().as_bytes().to_vec();
            text[place] = if text[place] == b'x' { b'y' } else { b'x' };
            let text = String::from_utf8(text).unwrap();
            assert!(ClientSecret::parse(&text).is_none(), "{text}");
        }
        for text in ["", "bwk_", "bwk_000000", "bwc_0", &"x".repeat(10_000), "bwk_ü"] {
            assert!(ClientSecret::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_secret_of_one_kind_is_none_of_another() {
        let token = SessionToken::generate(&counting());
        assert!(SessionToken::parse(token.expose()).is_some() && token.expose().starts_with("bws_"));
        assert!(ClientSecret::parse(token.expose()).is_none());
        assert!(
            InvitationToken::parse(token.expose()).is_none() && ResetToken::parse(token.expose()).is_none()
        );
    }

    #[test]
    fn a_checksum_alone_is_not_enough() {
        let short = format!("bwk_abc{}", checksum("bwk_abc"));
        assert!(ClientSecret::parse(&short).is_none());
    }
}

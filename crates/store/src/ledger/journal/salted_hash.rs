//! What the journal has of a secret: a hash with a salt of its own. It says nothing about the secret, and a verification
//! can tell with it whether the stored hash of the secret is still the one that the entry was about.

use db::Tx;
use sha2::{Digest as _, Sha256};

/// `SALT:HASH` in hexadecimal, where HASH is `SHA-256(salt || stored)`. `stored` is what the database has of the secret.
pub(crate) fn salted_hash(tx: &Tx, stored: &[u8]) -> String {
    let salt = tx.random::<16>();
    format!("{}:{}", hex::encode(salt), hex::encode(hash(&salt, stored)))
}

/// Whether a salted hash is that of `stored`.
pub(crate) fn is_hash_of(text: &str, stored: &[u8]) -> bool {
    let Some((salt, expected)) = text.split_once(':') else { return false };
    hex::decode(salt).is_ok_and(|salt| hex::encode(hash(&salt, stored)) == expected)
}

fn hash(salt: &[u8], stored: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(salt).chain_update(stored).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_salted_hash_is_that_of_one_text_only() {
        let salt = [7; 16];
        let text = format!("{}:{}", hex::encode(salt), hex::encode(hash(&salt, b"stored")));
        assert!(is_hash_of(&text, b"stored"));
        assert!(!is_hash_of(&text, b"other"));
        assert!(!is_hash_of("", b"stored") && !is_hash_of("x:y", b"stored"));
    }
}

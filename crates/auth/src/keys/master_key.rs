//! Private keys at rest: encrypted with the master key using AES-256-GCM.
//!
//! An encrypted key consists of a random 96-bit nonce, the ciphertext and the tag. The key's name is the associated
//! data, so that the secret of one row cannot be used in another.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// Length of the master key in bytes.
const LENGTH: usize = 32;

/// The key that encrypts all others. It does not print and is wiped when dropped.
#[derive(Clone)]
pub struct MasterKey(Zeroizing<[u8; LENGTH]>);

/// An error of a master key or of the data it should decrypt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The text is not 32 bytes in base64.
    #[error("the master key is not 32 bytes in base64")]
    Malformed,
    /// The master key is not the one that encrypted this key, or the ciphertext was altered.
    #[error("the master key does not open the database's signing keys")]
    WrongKey,
    /// The cipher failed to encrypt.
    #[error("the signing key could not be sealed")]
    Cipher,
}

impl MasterKey {
    /// Generates a master key with the random source.
    pub fn generate(random: &dyn Fn(&mut [u8])) -> Self {
        let mut bytes = Zeroizing::new([0; LENGTH]);
        random(bytes.as_mut_slice());
        Self(bytes)
    }

    /// Parses a master key from the environment or the key file: 32 bytes in base64, surrounding white space ignored.
    pub fn parse(text: &str) -> Result<Self, SealError> {
        let bytes = Zeroizing::new(STANDARD.decode(text.trim()).map_err(|_| SealError::Malformed)?);
        let bytes: [u8; LENGTH] = bytes.as_slice().try_into().map_err(|_| SealError::Malformed)?;
        Ok(Self(Zeroizing::new(bytes)))
    }

    /// The key in the form that [`MasterKey::parse`] reads.
    pub fn to_base64(&self) -> Zeroizing<String> {
        Zeroizing::new(STANDARD.encode(self.0.as_slice()))
    }

    /// Encrypts a secret under its key's name.
    pub fn seal(&self, kid: &str, secret: &[u8], random: &dyn Fn(&mut [u8])) -> Result<Vec<u8>, SealError> {
        let mut nonce = [0; NONCE_LEN];
        random(&mut nonce);
        let mut sealed = Zeroizing::new(secret.to_vec());
        self.cipher()?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(kid.as_bytes()),
                &mut *sealed,
            )
            .map_err(|_| SealError::Cipher)?;
        Ok([nonce.as_slice(), sealed.as_slice()].concat())
    }

    /// Decrypts what [`MasterKey::seal`] encrypted under the same name.
    pub fn unseal(&self, kid: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let (nonce, body) = sealed.split_first_chunk::<NONCE_LEN>().ok_or(SealError::WrongKey)?;
        let mut body = Zeroizing::new(body.to_vec());
        let length = self
            .cipher()?
            .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(kid.as_bytes()), &mut body)
            .map_err(|_| SealError::WrongKey)?
            .len();
        body.truncate(length);
        Ok(body)
    }

    /// Derives a key for one purpose, the same in every process with this master key: HMAC-SHA256 of the purpose's
    /// name. Neither the master key nor the key of another purpose can be computed from it.
    pub fn derive(&self, purpose: &str) -> [u8; LENGTH] {
        self.mac(purpose.as_bytes())
    }

    /// HMAC-SHA256 of some data: who does not have the key cannot find out what the data was by trying.
    pub fn mac(&self, data: &[u8]) -> [u8; LENGTH] {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.0.as_slice());
        let mut mac = [0; LENGTH];
        mac.copy_from_slice(hmac::sign(&key, data).as_ref());
        mac
    }

    /// The same as a key for encryption.
    pub(crate) fn for_purpose(&self, purpose: &str) -> Self {
        Self(Zeroizing::new(self.derive(purpose)))
    }

    fn cipher(&self) -> Result<LessSafeKey, SealError> {
        let key = UnboundKey::new(&AES_256_GCM, self.0.as_slice()).map_err(|_| SealError::Cipher)?;
        Ok(LessSafeKey::new(key))
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(with: u8) -> impl Fn(&mut [u8]) {
        move |bytes: &mut [u8]| bytes.fill(with)
    }

    #[test]
    fn what_is_sealed_opens_again_under_the_same_name_and_key_only() {
        let master = MasterKey::generate(&filled(1));
        let sealed = master.seal("kid", b"private", &filled(9)).unwrap();
        assert_eq!(sealed.len(), 12 + 7 + 16);
        assert!(!sealed.windows(7).any(|window| window == b"private"));
        assert_eq!(master.unseal("kid", &sealed).unwrap().as_slice(), b"private");

        assert_eq!(master.unseal("other", &sealed), Err(SealError::WrongKey));
        let other = MasterKey::generate(&filled(2));
        assert_eq!(other.unseal("kid", &sealed), Err(SealError::WrongKey));
    }

    #[test]
    fn altered_or_short_bytes_do_not_open() {
        let master = MasterKey::generate(&filled(1));
        let sealed = master.seal("kid", b"private", &filled(9)).unwrap();
        for place in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[place] ^= 1;
            assert_eq!(master.unseal("kid", &altered), Err(SealError::WrongKey));
            assert_eq!(master.unseal("kid", &sealed[..place]), Err(SealError::WrongKey));
        }
    }

    #[test]
    fn a_master_key_is_32_bytes_in_base64() {
        let master = MasterKey::generate(&filled(7));
        let text = master.to_base64();
        let read = MasterKey::parse(&format!("{}\n", *text)).unwrap();
        let sealed = master.seal("kid", b"private", &filled(9)).unwrap();
        assert!(read.unseal("kid", &sealed).is_ok());
        for wrong in ["", "short", "AAAA", "not base64 at all!", &format!("{}AAAA", *text)] {
            assert_eq!(MasterKey::parse(wrong).err(), Some(SealError::Malformed), "{wrong}");
        }
        assert_eq!(format!("{master:?}"), "MasterKey(..)");
    }
}

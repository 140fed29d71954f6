//! The signing keys: what they are made of, how they are encrypted at rest, how they change, and how they sign.

mod change;
pub(crate) mod jwt;
mod key_pair;
mod master_key;
mod opened;
mod plan;
mod signing_keys;

pub use change::change_keys;
pub use key_pair::AccessTokenAlgorithm;
pub use master_key::{MasterKey, SealError};
pub use opened::{Keys, KeysError};
pub use plan::KeyChange;
pub use signing_keys::SigningKeys;

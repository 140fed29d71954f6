//! The fields of a client's entries that tell of its secrets.

use uuid::Uuid;

/// The field of a client's entry that tells of a secret: a salted hash of the stored hash.
pub(super) fn hash_field(secret: Uuid) -> String {
    format!("secrets/{secret}")
}

/// The field that tells when a secret expires.
pub(super) fn expiry_field(secret: Uuid) -> String {
    format!("secrets/{secret}/expires_date")
}

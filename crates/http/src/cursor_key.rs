//! The key that signs the cursors of lists.

use aws_lc_rs::hmac;

/// Signs cursors.
pub(crate) struct CursorKey(pub(super) hmac::Key);

impl CursorKey {
    pub(crate) fn new(secret: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }
}

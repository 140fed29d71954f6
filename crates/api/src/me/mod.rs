//! The caller's own identity and password.

pub(crate) mod deputy;
pub(crate) mod password;
pub(crate) mod read;

//! The caller itself.

pub(crate) mod password;
pub(crate) mod read;

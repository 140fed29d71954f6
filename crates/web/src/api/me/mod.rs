//! The caller itself.

pub(crate) mod read;

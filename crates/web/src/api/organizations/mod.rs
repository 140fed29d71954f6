//! The caller's own organization.

pub(crate) mod read;

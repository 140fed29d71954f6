//! Undoing requests.

pub(crate) mod request;

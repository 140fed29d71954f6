//! OAuth clients.

pub(crate) mod refusals;

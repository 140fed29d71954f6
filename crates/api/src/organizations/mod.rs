//! The caller's own organization.

pub(crate) mod read;
pub(crate) mod risk_performance;
pub(crate) mod update;

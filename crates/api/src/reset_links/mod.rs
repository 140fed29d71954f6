//! Reset links, with which a member chooses another password.

pub(crate) mod create;
pub(crate) mod redeem;

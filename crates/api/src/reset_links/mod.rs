//! Reset links, with which a member chooses another password.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod read;
pub(crate) mod redeem;

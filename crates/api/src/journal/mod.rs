//! The journal: the audit trail and the change feed.

mod filter_params;
pub(crate) mod head;
pub(crate) mod list;

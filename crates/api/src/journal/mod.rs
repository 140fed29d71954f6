//! The journal: the audit trail and the change feed.

pub(crate) mod head;
pub(crate) mod list;

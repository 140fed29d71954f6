//! Tags that are added to records and removed from them.

use domain::TagId;

/// A tag that is to be added to a record or removed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TagChange {
    pub(crate) tag: TagId,
    pub(crate) is_added: bool,
}

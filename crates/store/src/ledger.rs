//! What records of every kind need: columns, versions and history, lists, facets, the journal and its verification, the
//! trash, undo, redaction, bulk changes, stored responses, the index of words. Nothing here names a kind of record.

pub mod access;
pub mod bulk;
pub mod condition;
pub(crate) mod dialect;
pub mod error;
pub mod facets;
pub mod housekeeping;
pub mod idempotency;
pub mod inventory;
pub mod journal;
pub mod list;
pub(crate) mod members;
pub(crate) mod page;
pub(crate) mod part;
pub(crate) mod record;
pub(crate) mod records;
pub(crate) mod redaction;
pub mod search;
pub(crate) mod tag_links;
pub(crate) mod trash;
pub(crate) mod undo;
pub(crate) mod verify;
pub(crate) mod view;

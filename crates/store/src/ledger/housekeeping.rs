//! Removing what the register no longer needs, in bounded writes.
//! Each function removes a bounded number of rows per write, so that other writes do not wait long; the caller repeats
//! it while there is more. Each selects in its own transaction what is due, so any number of processes may run it
//! concurrently, and stopping one leaves nothing half done.

mod expiry;
mod purge;
mod trash;

pub(crate) use expiry::{Expiry, delete_due, is_any_due};
pub use purge::{Trash, purge};
pub use trash::organizations_with_due;

/// What one write removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Taken {
    /// Rows that had expired, records that were purged, or counters that became entries.
    pub count: u64,
    /// Whether there may be more.
    pub more: bool,
}

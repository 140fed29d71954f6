//! Taking away what the register no longer needs, a little at a time.
//!
//! Each function takes at most so much in one write, so that nobody who waits behind it waits long; who
//! calls it goes on while there is more. Each decides in its own transaction what is due, so any number
//! of processes may do the same at the same time, and one that is stopped in between leaves nothing half
//! done.

mod sweep;
mod trash;

pub(crate) use sweep::Expiry;
pub use sweep::{Sweep, is_due, sweep};
pub(crate) use trash::{MOST_RECORDS, PurgePlan, Purgeable, purge_records};
pub use trash::{Trash, organizations_with_due, purge};

/// What one write took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Taken {
    /// Rows that had expired, or records that were purged.
    pub count: u64,
    /// Whether there may be more.
    pub more: bool,
}

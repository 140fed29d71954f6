//! Verification: the chain is walked, and what the database has is held against what the journal tells.

mod compare;
pub(crate) mod recorded;
mod search;
mod story;
mod walk;

pub(crate) use walk::verify;
pub use walk::{Progress, verify_part};

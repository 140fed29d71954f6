//! Documents and their items. What changes them are proposals.

mod fields;
mod item;
mod read;
mod write;

pub(crate) use fields::{journaled, subject, value_field};
pub use read::{get, list};
pub(crate) use read::{items, status};
pub use write::create;

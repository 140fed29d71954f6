//! Documents and their items. What changes them are proposals.

mod fields;
mod item;
mod read;
mod write;

pub(crate) use fields::{journaled, subject, value_field};
pub(crate) use read::{State, items, state};
pub use read::{count, get, list};
pub use write::create;

//! Evaluations of risks: recorded, superseded, never edited.

mod fields;
mod read;
mod record;
mod row;

pub(crate) use fields::journaled;
pub use read::{count, get, list};
pub use record::record;

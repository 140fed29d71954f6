//! Incidents, their history, and their soft deletion.

mod bulk;
mod fields;
mod purge;
mod read;
mod row;
mod write;

pub use bulk::{delete_many, restore_many};
pub(crate) use fields::journaled;
pub(crate) use purge::purge;
pub use read::{count, get, list};
pub use write::{create, patch_faults, update};

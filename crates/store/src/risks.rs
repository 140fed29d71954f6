//! Risks, their history, their soft deletion and the tags on them.

mod fields;
mod purge;
mod read;
mod row;
mod tags;
mod write;

pub(crate) use fields::{journaled, subject};
pub(crate) use purge::purge;
pub(crate) use read::get_without_tags;
pub use read::{count, get, list};
pub use tags::{add_tag, count_tags, list_tags, remove_tag};
pub use write::{create, delete, patch_faults, restore, update};

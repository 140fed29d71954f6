//! Entries that people write into the timelines of incidents.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod revisions;
pub(crate) mod update;
mod view;

use view::EntryView;

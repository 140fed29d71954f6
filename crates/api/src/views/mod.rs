//! Saved views: filters of a list under a name.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod update;
mod view;

pub(crate) use view::SavedViewView;

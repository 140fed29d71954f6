//! Groups: named lists of members.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod members;
pub(crate) mod read;
pub(crate) mod update;
mod view;

pub(crate) use view::GroupView;

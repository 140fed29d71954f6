//! Tags: short labels for incidents, risks and documents.

pub(crate) mod create;
pub(crate) mod export;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod remove;
pub(crate) mod update;
mod view;

pub(crate) use view::{TagLabelView, TagView};

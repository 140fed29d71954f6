//! The scale by which an organization rates its risks, and its earlier versions.

pub(crate) mod change;
pub(crate) mod read;
pub(crate) mod versions;
mod view;

pub(crate) use view::LevelView;
use view::ScaleView;

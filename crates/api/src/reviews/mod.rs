//! Reviews of incidents.

pub(crate) mod action_task;
pub(crate) mod editions;
pub(crate) mod file;
pub(crate) mod read;
pub(crate) mod update;
mod view;

use view::ReviewView;

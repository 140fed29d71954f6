//! Incidents: events that happened, with their dates.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
mod many;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod update;
mod view;

use view::IncidentView;

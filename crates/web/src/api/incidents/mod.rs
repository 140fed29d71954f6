//! Incidents: events that happened, with their dates.

pub(crate) mod create;
pub(crate) mod delete;
mod ids;
pub(crate) mod list;
mod many;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod update;
mod view;

use view::IncidentView;

/// The members that only the service sets; sending one is a fault.
const READ_ONLY: &[&str] =
    &["id", "status", "opened_by", "created_date", "updated_date", "version", "warnings"];

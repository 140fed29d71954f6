//! Incidents: something that happened, with its dates.

pub(crate) mod create;
pub(crate) mod delete;
mod ids;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod update;
mod view;

use view::IncidentView;

/// What the service alone sets; sending it is a fault of its own.
const READ_ONLY: &[&str] =
    &["id", "status", "opened_by", "created_date", "updated_date", "version", "warnings"];

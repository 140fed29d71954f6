//! Incidents: the list, one of them, and what is done with it.

pub(crate) mod declare;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod notes;
pub(crate) mod severity;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod tasks;
pub(crate) mod trash;

use domain::Scope::{self, IncidentsDeclare, IncidentsRead};
use domain::{IncidentNumber, ResourceKind};

use crate::frame::page_request::{PageRequest, Result};

/// What reading incidents needs: one of these.
const READ: &[Scope] = &[IncidentsRead, IncidentsDeclare];

/// What changing them needs.
const WRITE: &[Scope] = &[Scope::IncidentsWrite];

/// The number in the path.
fn number(request: &PageRequest) -> Result<IncidentNumber> {
    request.path(0, ResourceKind::Incident, IncidentNumber::parse)
}

/// The address of an incident's page.
fn address(request: &PageRequest, number: IncidentNumber) -> String {
    request.to(&format!("/incidents/{number}"))
}

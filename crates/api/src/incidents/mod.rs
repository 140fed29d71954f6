//! Incidents: events that happened, with their dates.

pub(crate) mod bulk;
pub(crate) mod by_reference;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod export;
pub(crate) mod facets;
pub(crate) mod links;
pub(crate) mod list;
mod many;
pub(crate) mod metrics;
pub(crate) mod read;
pub(crate) mod redact;
pub(crate) mod restore;
pub(crate) mod severity;
pub(crate) mod tags;
pub(crate) mod timeline;
pub(crate) mod transitions;
pub(crate) mod update;
mod view;

use domain::incident::Incident;
use domain::{Actor, Scope};
use http::query::Query;
use jiff::Timestamp;
use lists::input::{incident_bulk, incident_filter};
use store::incidents::{IncidentDetails, IncidentFilter};

use crate::listed::{ReadMany, Resource};
use view::IncidentView;

impl Resource for Incident {
    type View = IncidentView;
    const READ: &'static [Scope] = &[Scope::IncidentsRead, Scope::IncidentsDeclare];
    const WRITE: Scope = Scope::IncidentsWrite;
    const DELETE: Scope = Scope::IncidentsDelete;
    const FILTER: fn(&mut Query<'_>, &Actor) -> IncidentFilter = incident_filter::read;
    const MANY: ReadMany<Self> = incident_bulk::read;
    const VIEW: fn(IncidentDetails, Timestamp) -> IncidentView = |row, at| IncidentView::from((row, at));
}

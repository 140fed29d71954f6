//! The export of incidents.

use axum::response::Response;
use db::{Db, Tx};
use domain::OrgId;
use domain::incident::{Incident, Viewer};
use store::View;
use store::incidents::{IncidentDetails, IncidentFilter, IncidentSort, details_of_all, list_by_number};
use store::list::{Direction, ListQuery, Position, Sort};
use store::search::Found;

use super::selection::HasColumns;
use super::{Cell, Column, Lines, PAGE, Source, by_page, view_as_of};
use crate::http::error::Result;

/// The incidents that an export has.
pub struct Incidents {
    /// The database.
    pub db: Db,
    /// The organization.
    pub organization: OrgId,
    /// Who sees the export.
    pub viewer: Viewer,
    /// Whether deleted ones are among them.
    pub view: View,
    /// The journal entry as of which they are shown.
    pub seq: i64,
    /// Which ones.
    pub filter: IncidentFilter,
}

impl Incidents {
    /// All columns as CSV.
    pub fn csv() -> Lines<IncidentDetails> {
        Lines::csv(INCIDENT_COLUMNS)
    }

    /// The response with all of them. What is searched for is found here, as this read sees it: later pages would find what was
    /// changed meanwhile.
    pub async fn file(self, tx: &mut Tx, lines: Lines<IncidentDetails>) -> Result<Response> {
        let found = store::incidents::found(tx, self.organization, &self.viewer, &self.filter).await?;
        Ok(by_page::file(self.db.clone(), self.seq, Pages { of: self, found }, lines, tx.at()))
    }
}

struct Pages {
    of: Incidents,
    /// What was searched for.
    found: Option<Found>,
}

impl Source for Pages {
    type Row = IncidentDetails;
    type Position = Position;
    const NAME: &'static str = "incidents";

    async fn page(
        &self,
        tx: &mut Tx,
        after: Option<Position>,
    ) -> store::Result<store::Page<IncidentDetails>> {
        let Incidents { organization, viewer, seq, filter, .. } = &self.of;
        let view = view_as_of(tx, *organization, self.of.view, *seq).await?;
        let sort = Sort { by: IncidentSort::Number, direction: Direction::Ascending };
        let asked = ListQuery { view, filter: filter.clone(), sort, after };
        let found = self.found.as_ref();
        let page = list_by_number(tx, *organization, viewer, &asked, found, PAGE).await?;
        let rows = details_of_all(tx, *organization, viewer, view, page.rows).await?;
        Ok(store::Page { rows, has_more: page.has_more })
    }

    fn position(row: &IncidentDetails) -> Position {
        IncidentSort::Number.position(&row.incident)
    }
}

impl HasColumns for Incidents {
    fn columns() -> Vec<&'static str> {
        INCIDENT_COLUMNS.iter().map(|column| column.0).collect()
    }
}

/// The columns of their CSV file.
pub(crate) const INCIDENT_COLUMNS: &[Column<IncidentDetails>] = &[
    Column("id", |it| Cell::Ours(it.incident.number.to_string())),
    Column("title", |it| Cell::theirs(&it.incident.title)),
    Column("description", |it| Cell::theirs(&it.incident.description)),
    Column("status", |it| Cell::word(it.incident.status)),
    Column("status_date", |it| Cell::time(it.incident.status_date())),
    Column("status_reason", |it| text(it, |it| it.status_reason.as_ref())),
    Column("category", |it| Cell::word(it.incident.status.category())),
    Column("kind", |it| Cell::word(it.incident.kind)),
    Column("severity", |it| Cell::word(it.incident.severity)),
    Column("severity_source", |it| Cell::maybe(it.incident.severity_source, Cell::word)),
    Column("severity_reasoning", |it| text(it, |it| it.severity_reasoning.as_ref())),
    Column("source", |it| text(it, |it| it.source.as_ref())),
    Column("external_source", |it| text(it, |it| it.external_source.as_ref())),
    Column("external_ref", |it| text(it, |it| it.external_ref.as_ref())),
    Column("assigned_to", |it| text(it, |it| it.assigned_to.as_ref().map(|person| &person.name))),
    Column("assigned_to_email", |it| text(it, |it| it.assigned_to.as_ref().map(|person| &person.email))),
    Column("opened_by", |it| Cell::theirs(&it.incident.opened_by.name)),
    Column("tags", |it| Cell::tags(&it.tags)),
    Column("occurred_date", |it| Cell::maybe(it.incident.occurred_date, Cell::time)),
    Column("detected_date", |it| Cell::time(it.incident.detected_date)),
    Column("responded_date", |it| Cell::maybe(it.incident.responded_date, Cell::time)),
    Column("contained_date", |it| Cell::maybe(it.incident.contained_date, Cell::time)),
    Column("resolved_date", |it| Cell::maybe(it.incident.resolved_date, Cell::time)),
    Column("closed_date", |it| Cell::maybe(it.incident.closed_date, Cell::time)),
    Column("first_contained_date", |it| Cell::maybe(it.incident.first_contained_date(), Cell::time)),
    Column("first_resolved_date", |it| Cell::maybe(it.incident.first_resolved_date(), Cell::time)),
    Column("reopen_count", |it| Cell::number(it.incident.reopen_count)),
    Column("resolution_reason", |it| Cell::maybe(it.incident.resolution_reason, Cell::word)),
    Column("resolution_summary", |it| text(it, |it| it.resolution_summary.as_ref())),
    Column("duplicate_of", |it| Cell::maybe(it.incident.duplicate_of, |it| Cell::Ours(it.to_string()))),
    Column("restricted", |it| Cell::Ours(it.incident.restricted.to_string())),
    Column("legal_hold", |it| Cell::Ours(it.incident.legal_hold.to_string())),
    Column("legal_hold_reason", |it| text(it, |it| it.legal_hold_reason.as_ref())),
    Column("created_date", |it| Cell::time(it.incident.created_date)),
    Column("updated_date", |it| Cell::time(it.incident.updated_date)),
    Column("deleted_date", |it| Cell::maybe(it.incident.deleted_date, Cell::time)),
    Column("version", |it| Cell::number(it.incident.version)),
];

fn text(row: &IncidentDetails, text: fn(&Incident) -> Option<&String>) -> Cell {
    Cell::maybe(text(&row.incident), |text| Cell::theirs(text))
}

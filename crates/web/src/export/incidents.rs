//! The columns of the export of incidents.

use domain::incident::Incident;
use store::incidents::IncidentDetails;

use super::{Cell, Column, Exported};

impl Exported for Incident {
    const COLUMNS: &'static [Column<IncidentDetails>] = COLUMNS;
}

/// The columns of their CSV file.
const COLUMNS: &[Column<IncidentDetails>] = &[
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

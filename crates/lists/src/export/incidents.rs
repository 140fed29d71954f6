//! The columns of the export of incidents.

use domain::incident::Incident;
use store::incidents::IncidentDetails;

use super::{Cell, Column, Columns, Exported};

impl Exported for Incident {
    fn columns() -> Columns<IncidentDetails> {
        let asked = Incident::asked().map(|(field, _)| {
            let text = |it: &IncidentDetails| Cell::maybe((field.text)(&it.incident), Cell::theirs);
            Column { name: field.name, cell: Box::new(text) }
        });
        Columns::<IncidentDetails>::new()
            .with("id", |it| Cell::Ours(it.incident.number.to_string()))
            .with("title", |it| Cell::theirs(&it.incident.title))
            .with("description", |it| Cell::theirs(&it.incident.description))
            .with("status", |it| Cell::word(it.incident.status))
            .with("status_date", |it| Cell::time(it.incident.status_date()))
            .with("status_reason", |it| text(it, |it| it.status_reason.as_ref()))
            .with("category", |it| Cell::word(it.incident.status.category()))
            .with("kind", |it| Cell::word(it.incident.kind))
            .with("severity", |it| Cell::word(it.incident.severity))
            .with("severity_source", |it| Cell::maybe(it.incident.severity_source, Cell::word))
            .with("severity_reasoning", |it| text(it, |it| it.severity_reasoning.as_ref()))
            .with_each(asked)
            .with("external_source", |it| text(it, |it| it.external_source.as_ref()))
            .with("external_ref", |it| text(it, |it| it.external_ref.as_ref()))
            .with("assigned_to", |it| text(it, |it| it.assigned_to.as_ref().map(|person| &person.name)))
            .with("assigned_to_email", |it| {
                text(it, |it| it.assigned_to.as_ref().map(|person| &person.email))
            })
            .with("opened_by", |it| Cell::theirs(&it.incident.opened_by.name))
            .with("tags", |it| Cell::tags(&it.tags))
            .with("occurred_date", |it| Cell::maybe(it.incident.occurred_date, Cell::time))
            .with("detected_date", |it| Cell::time(it.incident.detected_date))
            .with("responded_date", |it| Cell::maybe(it.incident.responded_date, Cell::time))
            .with("contained_date", |it| Cell::maybe(it.incident.contained_date, Cell::time))
            .with("resolved_date", |it| Cell::maybe(it.incident.resolved_date, Cell::time))
            .with("closed_date", |it| Cell::maybe(it.incident.closed_date, Cell::time))
            .with("first_contained_date", |it| Cell::maybe(it.incident.first_contained_date(), Cell::time))
            .with("first_resolved_date", |it| Cell::maybe(it.incident.first_resolved_date(), Cell::time))
            .with("reopen_count", |it| Cell::number(it.incident.reopen_count))
            .with("resolution_reason", |it| Cell::maybe(it.incident.resolution_reason, Cell::word))
            .with("resolution_summary", |it| text(it, |it| it.resolution_summary.as_ref()))
            .with("duplicate_of", |it| Cell::maybe(it.incident.duplicate_of, |it| Cell::Ours(it.to_string())))
            .with("restricted", |it| Cell::Ours(it.incident.restricted.to_string()))
            .with("legal_hold", |it| Cell::Ours(it.incident.legal_hold.to_string()))
            .with("legal_hold_reason", |it| text(it, |it| it.legal_hold_reason.as_ref()))
            .with("created_date", |it| Cell::time(it.incident.created_date))
            .with("updated_date", |it| Cell::time(it.incident.updated_date))
            .with("deleted_date", |it| Cell::maybe(it.incident.deleted_date, Cell::time))
            .with("version", |it| Cell::number(it.incident.version))
    }
}

fn text(row: &IncidentDetails, text: fn(&Incident) -> Option<&String>) -> Cell {
    Cell::maybe(text(&row.incident), |text| Cell::theirs(text))
}

//! The columns of the export of incidents.

use domain::incident::Incident;
use store::incidents::IncidentDetails;

use super::{Cell, Columns, Exported};

impl Exported for Incident {
    fn columns() -> Columns<IncidentDetails> {
        Columns::<IncidentDetails>::new()
            .with("id", |it| Cell::Ours(it.incident.number.to_string()))
            .fields(|it| &it.incident)
            .with("status_date", |it| Cell::time(it.incident.status_date()))
            .with("category", |it| Cell::word(it.incident.status.category()))
            .with("first_contained_date", |it| Cell::maybe(it.incident.first_contained_date(), Cell::time))
            .with("first_resolved_date", |it| Cell::maybe(it.incident.first_resolved_date(), Cell::time))
            .with("opened_by", |it| Cell::theirs(&it.incident.opened_by.name))
            .with("tags", |it| Cell::tags(&it.tags))
            .with("created_date", |it| Cell::time(it.incident.created_date))
            .with("updated_date", |it| Cell::time(it.incident.updated_date))
            .with("version", |it| Cell::number(it.incident.version))
    }
}

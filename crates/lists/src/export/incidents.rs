//! The columns of the export of incidents.

use domain::incident::Incident;
use store::incidents::IncidentDetails;

use super::{Cell, Columns, Exported};

impl Exported for Incident {
    fn columns() -> Columns<IncidentDetails> {
        Columns::<IncidentDetails>::new()
            .with(("id", "ID"), |it| Cell::Ours(it.incident.number.to_string()))
            .fields(|it| &it.incident)
            .with_time(("status_date", "Status since"), |it| Some(it.incident.status_date()))
            .with(("category", "Category"), |it| Cell::word(it.incident.status.category()))
            .with_time(("first_contained_date", "First contained at"), |it| {
                it.incident.first_contained_date()
            })
            .with_time(("first_resolved_date", "First resolved at"), |it| it.incident.first_resolved_date())
            .with(("opened_by", "Declared by"), |it| Cell::theirs(&it.incident.opened_by.name))
            .with(("tags", "Tags"), |it| Cell::tags(&it.tags))
            .with_time(("created_date", "Created at"), |it| Some(it.incident.created_date))
            .with_time(("updated_date", "Updated at"), |it| Some(it.incident.updated_date))
            .with(("version", "Version"), |it| Cell::number(it.incident.version))
    }
}

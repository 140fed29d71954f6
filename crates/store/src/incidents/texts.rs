//! The texts of an incident and of its parts, column by column, for redactions. A test compares this list with the schema.

use domain::incident::Incident;
use domain::redaction::Part;

use crate::notes::IncidentNote;
use crate::record::Record as _;
use crate::redaction::tables::{Column, Holds, Table};

const fn text(name: &'static str, most: usize) -> Column {
    Column { name, holds: Holds::Text(most) }
}

const fn closed(name: &'static str) -> Column {
    Column { name, holds: Holds::Closed }
}

/// The most characters of a long text, which has a limit in bytes.
const LONG: usize = domain::text::PROSE_BYTES;

/// The most characters of a reason.
const REASON: usize = domain::text::REASON_CHARACTERS;

/// Every table.
pub(crate) const TABLES: &[Table] = &[INCIDENT, NOTE, TASK, REVIEW, REPORT, LINK];

const INCIDENT: Table = Table {
    part: Part::Incident,
    prefix: "",
    name: "incident",
    history: Some(Incident::statements),
    whole: "number",
    number: "number",
    latest: None,
    is_edition: false,
    columns: &[
        text("title", domain::text::LINE_CHARACTERS),
        text("description", LONG),
        text("severity_reasoning", LONG),
        text("source", domain::text::LINE_CHARACTERS),
        Column { name: "external_ref", holds: Holds::Reference },
        Column { name: "external_sent", holds: Holds::Copy },
        text("status_reason", REASON),
        text("resolution_summary", LONG),
        text("hold_reason", REASON),
        text("legal_hold_reason", REASON),
        closed("status"),
        closed("kind"),
        closed("severity"),
        closed("severity_source"),
        // Numbers and words of closed lists.
        closed("severity_answers"),
        closed("external_source"),
        closed("opened_by_kind"),
        closed("opened_by_id"),
        closed("readers"),
        closed("resolution_reason"),
        closed("overridden"),
        closed("hold_by_kind"),
        closed("hold_by_id"),
    ],
};

const NOTE: Table = Table {
    part: Part::Note,
    prefix: "notes",
    name: "incident_note",
    history: Some(IncidentNote::statements),
    whole: "incident",
    number: "number",
    latest: Some("seq_from"),
    is_edition: false,
    columns: &[
        text("text", LONG),
        closed("kind"),
        closed("author_kind"),
        closed("author_id"),
        closed("edited_by_kind"),
        closed("edited_by_id"),
        closed("mentions"),
    ],
};

const TASK: Table = Table {
    part: Part::Task,
    prefix: "tasks",
    name: "incident_task",
    history: None,
    whole: "incident",
    number: "number",
    latest: Some("seq"),
    is_edition: false,
    columns: &[
        text("title", domain::text::LINE_CHARACTERS),
        text("notes", LONG),
        text("reason", REASON),
        closed("status"),
        closed("created_by_kind"),
        closed("created_by_id"),
    ],
};

const REVIEW: Table = Table {
    part: Part::Review,
    prefix: "reviews",
    name: "incident_review",
    history: None,
    whole: "incident",
    number: "edition",
    latest: Some("seq"),
    is_edition: true,
    columns: &[
        text("summary", LONG),
        text("root_cause", LONG),
        text("contributing_factors", LONG),
        text("impact", LONG),
        text("went_well", LONG),
        text("lessons", LONG),
        Column { name: "actions", holds: Holds::Actions },
        closed("state"),
        closed("created_by_kind"),
        closed("created_by_id"),
    ],
};

/// What external systems said of an incident that was not open: copies of its fields.
const REPORT: Table = Table {
    part: Part::Incident,
    prefix: "reports",
    name: "incident_report",
    history: None,
    whole: "incident",
    number: "number",
    latest: None,
    is_edition: false,
    columns: &[
        Column { name: "message", holds: Holds::Copy },
        closed("reported_by_kind"),
        closed("reported_by_id"),
    ],
};

const LINK: Table = Table {
    part: Part::Incident,
    prefix: "links",
    name: "incident_link",
    history: None,
    whole: "incident",
    number: "number",
    latest: None,
    is_edition: false,
    columns: &[
        text("title", domain::text::LINE_CHARACTERS),
        text("url", domain::link::URL_CHARACTERS),
        closed("kind"),
        closed("to_document"),
        closed("created_by_kind"),
        closed("created_by_id"),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::tables::of_field;

    #[test]
    fn every_field_that_can_be_named_is_a_column_that_a_redaction_changes() {
        // Copies have no fields of their own, and nothing of a link can be named.
        for table in TABLES.iter().filter(|table| !["reports", "links"].contains(&table.prefix)) {
            let open: Vec<_> =
                table.open().filter(|column| column.holds != Holds::Copy).map(|it| it.name).collect();
            for field in table.part.fields() {
                assert!(open.contains(field), "{field} of {}", table.name);
            }
            assert_eq!(open.len(), table.part.fields().len(), "{}", table.name);
        }
    }

    #[test]
    fn a_field_of_an_entry_belongs_to_a_row() {
        let of = |field| of_field(TABLES, field).map(|(table, number, name)| (table.name, number, name));
        assert_eq!(of("title"), Some(("incident", None, "title")));
        assert_eq!(of("tasks/3/title"), Some(("incident_task", Some(3), "title")));
        assert_eq!((of("tasks/3"), of("unknown/3/title")), (None, None));
    }
}

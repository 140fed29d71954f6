//! The texts of an incident and of its parts, column by column, for redactions. A test compares this list with the schema.

use std::sync::LazyLock;

use domain::incident::Incident;
use domain::record::{Field, Record as _};
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
    columns: || &INCIDENT_COLUMNS,
};

static INCIDENT_COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let open = Incident::FIELDS.iter().filter_map(|field| Some(of_field(field, field.redacted?)));
    open.chain([Column { name: "external_sent", holds: Holds::Copy }]).chain(CLOSED.map(closed)).collect()
});

fn of_field(field: &Field<Incident>, column: &'static str) -> Column {
    match field.holds {
        domain::record::Holds::Reference => Column { name: column, holds: Holds::Reference },
        holds => text(column, holds.most_characters()),
    }
}

/// The columns of an incident whose text is not what somebody wrote.
const CLOSED: [&str; 13] = [
    "status",
    "kind",
    "severity",
    "severity_source",
    // Numbers and words of closed lists.
    "severity_answers",
    "external_source",
    "opened_by_kind",
    "opened_by_id",
    "readers",
    "resolution_reason",
    "overridden",
    "hold_by_kind",
    "hold_by_id",
];

const NOTE: Table = Table {
    part: Part::Note,
    prefix: "notes",
    name: "incident_note",
    history: Some(IncidentNote::statements),
    whole: "incident",
    number: "number",
    latest: Some("seq_from"),
    is_edition: false,
    columns: || {
        const {
            &[
                text("text", LONG),
                closed("kind"),
                closed("author_kind"),
                closed("author_id"),
                closed("edited_by_kind"),
                closed("edited_by_id"),
                closed("mentions"),
            ]
        }
    },
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
    columns: || {
        const {
            &[
                text("title", domain::text::LINE_CHARACTERS),
                text("notes", LONG),
                text("reason", REASON),
                closed("status"),
                closed("created_by_kind"),
                closed("created_by_id"),
            ]
        }
    },
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
    columns: || {
        const {
            &[
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
            ]
        }
    },
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
    columns: || {
        const {
            &[
                Column { name: "message", holds: Holds::Copy },
                closed("reported_by_kind"),
                closed("reported_by_id"),
            ]
        }
    },
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
    columns: || {
        const {
            &[
                text("title", domain::text::LINE_CHARACTERS),
                text("url", domain::link::URL_CHARACTERS),
                closed("kind"),
                closed("to_document"),
                closed("created_by_kind"),
                closed("created_by_id"),
            ]
        }
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::tables::of_field as row_of;

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
        let of = |field| row_of(TABLES, field).map(|(table, number, name)| (table.name, number, name));
        assert_eq!(of("title"), Some(("incident", None, "title")));
        assert_eq!(of("tasks/3/title"), Some(("incident_task", Some(3), "title")));
        assert_eq!((of("tasks/3"), of("unknown/3/title")), (None, None));
    }
}

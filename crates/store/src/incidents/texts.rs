//! The texts of an incident and of its parts, column by column, for redactions. A test compares this list with the schema.

use std::sync::LazyLock;

use domain::incident::Incident;
use domain::link::IncidentLink;
use domain::note::Note;
use domain::record::Record as Described;
use domain::redaction::Part;
use domain::review::Review;
use domain::task::Task;

use crate::ledger::record::Record as _;
use crate::ledger::redaction::tables::{Column, Holds, Table};
use crate::notes::IncidentNote;

/// The columns of text of a record: those that its fields say a redaction changes, and those of which it changes nothing.
fn columns<R: Described>(closed: &[&'static str]) -> Vec<Column> {
    let open = R::FIELDS.iter().filter_map(|field| Some((field.redacted?, field.holds)));
    let open = open.map(|(name, holds)| Column {
        name,
        holds: match holds {
            domain::record::Holds::Reference => Holds::Reference,
            domain::record::Holds::Actions => Holds::Actions,
            holds => Holds::Text(holds.most_characters()),
        },
    });
    let closed = closed.iter().map(|name| Column { name, holds: Holds::Closed });
    open.chain(closed).collect()
}

/// A list that is made once.
macro_rules! once {
    ($list:expr) => {
        || {
            static LIST: LazyLock<Vec<Column>> = LazyLock::new(|| $list);
            &LIST
        }
    };
}

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
    columns: once!({
        let mut all = columns::<Incident>(&CLOSED);
        all.push(Column { name: "external_sent", holds: Holds::Copy });
        all
    }),
};

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
    columns: once!(columns::<Note>(&[
        "kind",
        "author_kind",
        "author_id",
        "edited_by_kind",
        "edited_by_id",
        "mentions"
    ])),
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
    columns: once!(columns::<Task>(&["status", "created_by_kind", "created_by_id"])),
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
    columns: once!(columns::<Review>(&["state", "created_by_kind", "created_by_id"])),
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
                Column { name: "reported_by_kind", holds: Holds::Closed },
                Column { name: "reported_by_id", holds: Holds::Closed },
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
    columns: once!(columns::<IncidentLink>(&["kind", "to_document", "created_by_kind", "created_by_id"])),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::redaction::tables::of_field as row_of;

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

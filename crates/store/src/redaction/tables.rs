//! The texts of an incident and of its parts, column by column. A test compares this list with the schema.

use domain::redaction::Part;

/// A table with rows of incidents.
pub(crate) struct Table {
    /// What its rows are.
    pub(crate) part: Part,
    /// What the fields of its rows begin with in entries; nothing for the incident itself.
    pub(crate) prefix: &'static str,
    /// Its name.
    pub(crate) name: &'static str,
    /// Whether the earlier states of its rows are in the table of this name with `_history`.
    pub(crate) has_history: bool,
    /// The column with the number of the incident.
    pub(crate) whole: &'static str,
    /// The column with the number of the row in the incident; that of the incident itself is the same.
    pub(crate) number: &'static str,
    /// The column with the entry of the latest change of a row, if the rows are parts with versions of their own.
    pub(crate) latest: Option<&'static str>,
    /// Its columns of text.
    pub(crate) columns: &'static [Column],
}

/// A column of text.
pub(crate) struct Column {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it has.
    pub(crate) holds: Holds,
}

/// What a column of text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// What people wrote, of at most so many characters.
    Text(usize),
    /// JSON: a copy of fields of the incident as another system sent them.
    Copy,
    /// The actions of a review: a list with titles.
    Actions,
    /// The reference of another system, by which the incident is found: no two may be the same.
    Reference,
    /// Words of closed lists, ids and numbers, or the name of a system: nothing that a redaction changes.
    Closed,
}

const fn text(name: &'static str, most: usize) -> Column {
    Column { name, holds: Holds::Text(most) }
}

const fn closed(name: &'static str) -> Column {
    Column { name, holds: Holds::Closed }
}

/// The most characters of a long text, which has a limit in bytes.
const LONG: usize = domain::text::PROSE_BYTES;

/// The most characters of a reason.
const REASON: usize = domain::incident::REASON_CHARACTERS;

/// Every table.
pub(crate) const TABLES: &[Table] = &[INCIDENT, NOTE, TASK, REVIEW, REPORT, LINK];

const INCIDENT: Table = Table {
    part: Part::Incident,
    prefix: "",
    name: "incident",
    has_history: true,
    whole: "number",
    number: "number",
    latest: None,
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
    has_history: true,
    whole: "incident",
    number: "number",
    latest: Some("seq_from"),
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
    has_history: false,
    whole: "incident",
    number: "number",
    latest: Some("seq"),
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
    has_history: false,
    whole: "incident",
    number: "edition",
    latest: Some("seq"),
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
    has_history: false,
    whole: "incident",
    number: "number",
    latest: None,
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
    has_history: false,
    whole: "incident",
    number: "number",
    latest: None,
    columns: &[
        text("title", domain::text::LINE_CHARACTERS),
        text("url", domain::link::URL_CHARACTERS),
        closed("kind"),
        closed("to_document"),
        closed("created_by_kind"),
        closed("created_by_id"),
    ],
};

/// Whether a row is a present state or an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// In the table.
    Now,
    /// In its history.
    Earlier,
}

impl Table {
    /// Where the states of its rows are.
    pub(crate) fn states(&self) -> &'static [When] {
        if self.has_history { &[When::Now, When::Earlier] } else { &[When::Now] }
    }

    /// The columns that a redaction may change.
    pub(crate) fn open(&self) -> impl Iterator<Item = &'static Column> + use<> {
        self.columns.iter().filter(|column| column.holds != Holds::Closed)
    }

    /// Where the present rows are, or the earlier ones.
    pub(crate) fn rows(&self, when: When) -> String {
        match when {
            When::Now => self.name.to_owned(),
            When::Earlier => format!("{}_history", self.name),
        }
    }

    /// The number of a row in the incident; none for the incident itself.
    pub(crate) fn number_of(&self, own: i64) -> Option<i64> {
        (!self.prefix.is_empty()).then_some(own)
    }
}

/// The table and the number of the row that a field of an entry belongs to, and the rest of the field's name.
pub(crate) fn of_field(field: &str) -> Option<(&'static Table, Option<i64>, &str)> {
    let Some((prefix, rest)) = field.split_once('/') else {
        let incident = TABLES.iter().find(|table| table.prefix.is_empty())?;
        return Some((incident, None, field));
    };
    let table = TABLES.iter().find(|table| table.prefix == prefix)?;
    let (number, name) = rest.split_once('/')?;
    Some((table, Some(number.parse().ok()?), name))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let of = |field| of_field(field).map(|(table, number, name)| (table.name, number, name));
        assert_eq!(of("title"), Some(("incident", None, "title")));
        assert_eq!(of("tasks/3/title"), Some(("incident_task", Some(3), "title")));
        assert_eq!((of("tasks/3"), of("unknown/3/title")), (None, None));
    }
}

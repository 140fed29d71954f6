//! What people call the fields of an incident, and what kind of value each has.

use super::phrase::word;

/// What kind of value a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A line.
    Line,
    /// Text of any length, which no sentence quotes.
    Prose,
    /// A word of a closed list.
    Word,
    /// The same, and null is this word.
    WordOr(&'static str),
    /// Words with a space between them.
    Words,
    /// A date-time.
    Date,
    /// The id of a person.
    Person,
    /// Ids of people with a space between them.
    People,
    /// The number of an incident.
    Incident,
    /// The number of a risk.
    Risk,
    /// The slug of a document.
    Document,
    /// Yes or no; null is no.
    Flag,
    /// A pause.
    Hold,
    /// A field of a part, or one that this release does not know.
    Any,
    /// What only the register needs.
    Internal,
}

/// The journaled fields of an incident: name, what people call it, and its kind of value.
const FIELDS: &[(&str, &str, Form)] = &[
    ("title", "Title", Form::Line),
    ("description", "Description", Form::Prose),
    ("status", "Status", Form::Word),
    ("kind", "Kind", Form::WordOr("real")),
    ("severity", "Severity", Form::WordOr("undetermined")),
    ("severity_reasoning", "Reasoning of the severity", Form::Prose),
    ("severity_source", "Origin of the severity", Form::Word),
    ("severity_answers", "Answers about the severity", Form::Internal),
    ("source", "Source", Form::Line),
    ("external_source", "External system", Form::Line),
    ("external_ref", "Reference of the external system", Form::Line),
    ("external_sent", "Sent by the external system", Form::Internal),
    ("assigned_to", "Assignee", Form::Person),
    ("restricted", "Restricted", Form::Flag),
    ("readers", "Readers", Form::People),
    ("occurred_date", "Time of occurrence", Form::Date),
    ("detected_date", "Time of detection", Form::Date),
    ("responded_date", "Time of the response", Form::Date),
    ("contained_date", "Time of containment", Form::Date),
    ("resolved_date", "Time of resolution", Form::Date),
    ("closed_date", "Time of closing", Form::Date),
    ("first_contained_date", "Time of the first containment", Form::Date),
    ("first_resolved_date", "Time of the first resolution", Form::Date),
    ("status_date", "Time of the status", Form::Date),
    ("status_reason", "Reason for the status", Form::Prose),
    ("last_step_back", "Latest step back", Form::Internal),
    ("reopen_count", "Number of reopenings", Form::Any),
    ("resolution_reason", "Resolution reason", Form::Word),
    ("resolution_summary", "Resolution summary", Form::Prose),
    ("overridden", "Missing when it was closed", Form::Words),
    ("duplicate_of", "Duplicate of", Form::Incident),
    ("hold", "Hold", Form::Hold),
    ("legal_hold", "Legal hold", Form::Flag),
    ("legal_hold_reason", "Reason for the legal hold", Form::Prose),
    ("deleted_date", "Time of deletion", Form::Date),
];

/// The member of an entry about a redaction that says what was redacted, and why.
pub(super) const REDACTION: &str = "redaction";

/// The kind of value of a field.
pub(super) fn form(field: &str) -> Form {
    if field == REDACTION {
        return Form::Internal;
    }
    if let Some((_, name)) = field.strip_prefix("links/").and_then(|rest| rest.split_once('/')) {
        return of_link(name);
    }
    find(field).map_or(Form::Any, |(_, _, form)| *form)
}

/// The kind of value of a field of a link.
fn of_link(name: &str) -> Form {
    match name {
        "kind" => Form::Word,
        "to_incident" => Form::Incident,
        "to_risk" => Form::Risk,
        "to_document" => Form::Document,
        _ => Form::Any,
    }
}

/// Where a field stands among the others in a sentence.
pub(super) fn place(field: &str) -> usize {
    FIELDS.iter().position(|(name, ..)| *name == field).unwrap_or(FIELDS.len())
}

/// What people call a field of an incident. The field of a part is called after the part too.
pub(super) fn label(field: &str) -> String {
    if let Some((_, label, _)) = find(field) {
        return (*label).to_owned();
    }
    // The ids of tags say nothing to people.
    let is_word = |part: &&str| part.len() < 36;
    word(&field.split('/').filter(is_word).collect::<Vec<_>>().join(" "))
}

/// What a sentence calls a field, such as `the time of detection`.
pub(super) fn named(field: &str) -> String {
    let label = label(field);
    let mut letters = label.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
    format!("the {first}{}", letters.as_str())
}

/// The fields of an incident that have a label of their own.
pub fn labelled() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|(name, ..)| *name)
}

fn find(field: &str) -> Option<&'static (&'static str, &'static str, Form)> {
    FIELDS.iter().find(|(name, ..)| *name == field)
}

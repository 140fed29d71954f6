//! What people call the fields of an incident, and what kind of value each has.

use super::phrase::{lowercase, word};
use crate::incident::Incident;
use crate::link::IncidentLink;
use crate::record::{Field, Holds, Record as _};

/// The member of an entry about a redaction that says what was redacted, and why.
pub(super) const REDACTION: &str = "redaction";

/// The kind of value of a field.
pub(super) fn holds(field: &str) -> Holds {
    if field == REDACTION {
        return Holds::Internal;
    }
    if let Some((_, name)) = field.strip_prefix("links/").and_then(|rest| rest.split_once('/')) {
        return IncidentLink::field(name).map_or(Holds::Any, |field| field.holds);
    }
    Incident::field(field).map_or(Holds::Any, |field| field.holds)
}

/// Where a field stands among the others in a sentence.
pub(super) fn place(field: &str) -> usize {
    Incident::FIELDS.iter().position(|it| it.name == field).unwrap_or(Incident::FIELDS.len())
}

/// What people call a field of an incident. The field of a part is called after the part too.
pub(super) fn label(field: &str) -> String {
    if let Some(field) = Incident::field(field) {
        return field.label.to_owned();
    }
    // The ids of tags say nothing to people.
    let is_word = |part: &&str| part.len() < 36;
    word(&field.split('/').filter(is_word).collect::<Vec<_>>().join(" "))
}

/// What a sentence calls a field, such as `the time of detection`.
pub(super) fn named(field: &str) -> String {
    let noun = Incident::field(field).map_or_else(|| lowercase(&label(field)), Field::noun);
    format!("the {noun}")
}

/// The fields of an incident that have a label of their own.
pub fn labelled() -> impl Iterator<Item = &'static str> {
    Incident::FIELDS.iter().map(|field| field.name)
}

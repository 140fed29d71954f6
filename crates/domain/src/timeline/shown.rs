//! Values as people read them.

use jiff::Timestamp;
use serde_json::Value;

use super::clause::listed;
use super::fields;
use super::names::Names;
use super::payload::Change;
use super::phrase::{short, word};
use crate::record::Holds;
use crate::time;

/// The most characters of a text in the list of changes.
const VALUE_CHARACTERS: usize = 200;

/// A changed field as people read it. A long text is cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownChange {
    /// The name of the field in the journal.
    pub field: String,
    /// What people call the field.
    pub label: String,
    /// The value before; none if there was none, or if it is no text, number, date or name.
    pub from: Option<String>,
    /// The value after.
    pub to: Option<String>,
}

/// A change as it is shown; none for what is only the register's own note.
pub(super) fn change(change: &Change, names: &Names) -> Option<ShownChange> {
    let Change { field, before, after } = change;
    let holds = fields::holds(field);
    if holds == Holds::Internal {
        return None;
    }
    let label = fields::label(field);
    Some(ShownChange {
        field: field.clone(),
        label,
        from: value(holds, before, names),
        to: value(holds, after, names),
    })
}

/// A value as people read it.
pub(super) fn value(holds: Holds, value: &Value, names: &Names) -> Option<String> {
    match (holds, value) {
        (Holds::WordOr(default), Value::Null) => Some(word(default)),
        (Holds::Flag, value) => {
            Some(if value.as_bool().unwrap_or_default() { "Yes" } else { "No" }.to_owned())
        }
        (_, Value::Null) | (Holds::Internal, _) => None,
        (Holds::Word | Holds::WordOr(_), Value::String(text)) => Some(word(text)),
        (Holds::Words, Value::String(text)) => Some(listed(&text.split(' ').map(word).collect::<Vec<_>>())),
        (Holds::Date, Value::String(text)) => {
            Some(date(text, names).unwrap_or_else(|| short(text, VALUE_CHARACTERS)))
        }
        (Holds::Person, Value::String(id)) => Some(person(id, names)),
        (Holds::People, Value::String(ids)) => Some(listed(&people(ids, names))),
        (Holds::Incident, Value::Number(number)) => number.as_i64().map(|number| names.incident(number)),
        (Holds::Risk, Value::Number(number)) => number.as_i64().map(|number| names.risk(number)),
        (Holds::Document, Value::String(_)) if !names.sees_documents => Some("a document".to_owned()),
        (Holds::Hold, Value::Object(_)) => Some(hold(value, names)),
        (_, Value::String(text)) => Some(anything(text, names)),
        (_, Value::Bool(true)) => Some("Yes".to_owned()),
        (_, Value::Bool(false)) => Some("No".to_owned()),
        (_, Value::Number(number)) => Some(number.to_string()),
        (_, Value::Array(_) | Value::Object(_)) => None,
    }
}

/// A text of a field that may be of any kind.
fn anything(text: &str, names: &Names) -> String {
    let name = names.of(text).map(str::to_owned);
    name.or_else(|| date(text, names)).unwrap_or_else(|| short(text, VALUE_CHARACTERS))
}

/// A date in the zone of the reader.
pub(super) fn date(text: &str, names: &Names) -> Option<String> {
    let at: Timestamp = time::parse(text)?;
    Some(names.date(at))
}

/// The name of a person.
pub(super) fn person(id: &str, names: &Names) -> String {
    names.of(id).unwrap_or("somebody").to_owned()
}

/// The names of people by a text of their ids.
pub(super) fn people(ids: &str, names: &Names) -> Vec<String> {
    ids.split(' ').filter(|id| !id.is_empty()).map(|id| person(id, names)).collect()
}

fn hold(hold: &Value, names: &Names) -> String {
    let text = |member: &str| hold.get(member).and_then(Value::as_str);
    let until = text("until").and_then(|until| date(until, names));
    let until = until.map_or("Without an end".to_owned(), |until| format!("Until {until}"));
    match text("reason") {
        Some(reason) => format!("{until}: {}", short(reason, VALUE_CHARACTERS)),
        None => until,
    }
}

//! Forms that show a record. Which texts they ask for, one like the other, the record says itself.

use domain::record::{Record, Value};

use crate::frame::clock::Clock;
use crate::frame::form::{As, Form, field_of};

/// The members of a form of the record `R` with these texts.
pub(in crate::pages) fn with_asked<R: Record>(members: &[(&'static str, As)]) -> Vec<(&'static str, As)> {
    let asked = R::asked().map(|field| (field.name, As::TextOrNull));
    members.iter().copied().chain(asked).collect()
}

/// The form as it is shown first: these members and those texts, and what each was.
pub(in crate::pages) fn form_of<R: Record>(
    record: &R,
    version: i64,
    members: &[(&'static str, As)],
    clock: &Clock,
) -> Form {
    let (mut texts, mut times) = (Vec::new(), Vec::new());
    for (path, sent_as) in with_asked::<R>(members) {
        let (name, part) = path.split_once('/').unwrap_or((path, ""));
        let value = R::field(name).map_or(Value::Nothing, |field| (field.value)(record));
        match value {
            Value::Time(at) => times.push((path, Some(at))),
            _ if matches!(sent_as, As::Time) => times.push((path, None)),
            value => texts.push((field_of(path), typed(&value, part))),
        }
    }
    let texts = texts.iter().map(|(name, text)| (name.as_str(), text.clone()));
    Form::with_originals(texts, version).with_times(times, clock)
}

/// A value as it stands in a control; of a rating this part.
fn typed(value: &Value<'_>, part: &str) -> String {
    match *value {
        Value::Text(text) => text.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Word(word) => word.to_owned(),
        Value::Person(person) => person.id.to_string(),
        Value::Rating(rating) if part == "impact" => rating.impact.to_string(),
        Value::Rating(rating) => rating.likelihood.to_string(),
        Value::Several(ref texts) => texts.join(", "),
        _ => String::new(),
    }
}

//! The journal entries about a record that have the text, and what else they tell.

use db::Tx;
use domain::OrgId;
use domain::redaction::Redaction;
use serde_json::{Map, Value as Json};

use super::rows::of_column;
use super::tables::{self, Column, Texts};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, REDACTION};

/// Entries that are read at a time.
const PAGE: usize = 1_000;

/// An entry whose payload has the text.
pub(crate) struct Redacted {
    /// Its number.
    pub(crate) seq: i64,
    /// What is left of its payload.
    pub(crate) payload: Json,
}

impl Redacted {
    /// What is told again, by the numbers of the entries. What an earlier redaction told again stands beside it and not in
    /// it: nested once for each redaction, it would soon be too deep to be read.
    pub(crate) fn told(mut self) -> Map<String, Json> {
        let earlier =
            self.payload.pointer_mut(&format!("/{REDACTION}/1/entries")).and_then(Json::as_object_mut);
        let mut told = earlier.map(std::mem::take).unwrap_or_default();
        told.insert(self.seq.to_string(), self.payload);
        told
    }
}

/// The entries that have the text.
pub(crate) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    texts: &Texts,
    redaction: &Redaction,
) -> Result<Vec<Redacted>> {
    let Texts { subject, .. } = texts;
    let numbers =
        journal::numbers_of_subjects(tx, organization, subject.kind, &[subject.id.as_str()]).await?;
    let mut found = Vec::new();
    for numbers in numbers.chunks(PAGE) {
        for entry in journal::list_of_numbers(tx, organization, numbers).await? {
            let Some(text) = entry.payload else { continue };
            let Ok(Json::Object(payload)) = serde_json::from_str(&text) else { continue };
            if let Some(left) = of_payload(&payload, texts, redaction) {
                found.push(Redacted { seq: entry.seq, payload: Json::Object(left) });
            }
        }
    }
    Ok(found)
}

/// What is left of a payload; none if it stays as it is.
fn of_payload(
    payload: &Map<String, Json>,
    texts: &Texts,
    redaction: &Redaction,
) -> Option<Map<String, Json>> {
    let mut left = payload.clone();
    let mut is_changed = false;
    for (field, change) in &mut left {
        let redacted = match field.as_str() {
            REDACTION => of_redaction(change, texts, redaction),
            field => of_change(field, change, texts, redaction),
        };
        if let Some(redacted) = redacted {
            (*change, is_changed) = (redacted, true);
        }
    }
    is_changed.then_some(left)
}

/// The values of a field before and after.
fn of_change(field: &str, change: &Json, texts: &Texts, redaction: &Redaction) -> Option<Json> {
    let values = change.as_array()?;
    let left: Vec<_> = values.iter().map(|value| of_value(field, value, texts, redaction)).collect();
    left.iter().any(Option::is_some).then(|| {
        left.into_iter().zip(values).map(|(left, value)| left.unwrap_or_else(|| value.clone())).collect()
    })
}

fn of_value(field: &str, value: &Json, texts: &Texts, redaction: &Redaction) -> Option<Json> {
    let (table, number, name) = tables::of_field(texts.tables, field)?;
    let concerned = |column: &Column| redaction.concerns(table.part, number, column.name);
    let of = |name: &str, text: &str| {
        let column = (table.columns)().iter().find(|column| column.name == name)?;
        of_column(column, text, texts, redaction, &concerned)
    };
    match value {
        Json::String(text) => of(name, text).map(Json::from),
        // A field of several columns.
        Json::Object(members) => {
            let mut left = members.clone();
            for (suffix, member) in &mut left {
                if let Some(text) = member.as_str().and_then(|text| of(&format!("{name}_{suffix}"), text)) {
                    *member = Json::from(text);
                }
            }
            (left != *members).then_some(Json::Object(left))
        }
        _ => None,
    }
}

/// What an earlier redaction told: why, and what the entries say that it erased.
fn of_redaction(change: &Json, texts: &Texts, redaction: &Redaction) -> Option<Json> {
    let mut left = change.clone();
    let told = left.get_mut(1)?;
    if redaction.text.is_some()
        && let Some(reason) = told.get("reason").and_then(|reason| redaction.of_json(reason))
        && let Some(place) = told.get_mut("reason")
    {
        *place = reason;
    }
    if let Some(Json::Object(entries)) = told.get_mut("entries") {
        for (_, payload) in entries {
            let redacted = payload.as_object().and_then(|payload| of_payload(payload, texts, redaction));
            if let Some(redacted) = redacted {
                *payload = Json::Object(redacted);
            }
        }
    }
    (left != *change).then_some(left)
}

//! What the journal tells of one record.

use std::collections::{BTreeSet, HashMap};

use domain::ActorKind;
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::ledger::journal::{Entry, REDACTION, told_again};

/// The entries of a record, in order.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// Each entry.
    pub(super) changes: Vec<Change>,
    /// The latest value of each field, and the entry that set it.
    pub(super) fields: HashMap<String, (Value, i64)>,
    /// Whether a payload was erased and no entry tells it again, so that a field may be told nowhere.
    pub(super) has_gap: bool,
    /// The entries that a redaction says it erased, and did not.
    pub(super) unerased: Vec<i64>,
}

/// An entry of a record.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) seq: i64,
    pub(super) at: Timestamp,
    pub(super) by: (ActorKind, String),
    pub(super) kind: String,
    /// The text of the payload of an entry that makes a record.
    payload: Option<String>,
    /// The text of the payload of an entry about a redaction.
    redaction: Option<String>,
    /// The parts that got a new version by a redaction, such as `comments/3`.
    parts: Vec<String>,
    /// The values after it; none if the payload was erased and no entry tells it again.
    pub(super) after: Option<HashMap<String, Value>>,
}

impl Story {
    /// The story that these entries tell, which are about one record and in order.
    pub(super) fn of(entries: Vec<Entry>) -> Self {
        let mut story = Self { changes: entries.into_iter().map(Change::of).collect(), ..Self::default() };
        story.restate();
        for change in &mut story.changes {
            story.has_gap |= change.after.is_none();
            for (field, value) in change.after.iter().flatten() {
                story.fields.insert(field.clone(), (value.clone(), change.seq));
            }
        }
        story
    }

    /// Takes from the entries about redactions what those told that they erased.
    fn restate(&mut self) {
        let redactions = self.changes.iter().filter(|change| change.is_redaction());
        let mut told = told_again(redactions.map(|change| (change.seq, change.redaction.as_deref())));
        for change in &mut self.changes {
            match (told.remove(&change.seq), &change.after) {
                (Some(fields), None) => change.after = Some(after(fields)),
                (Some(_), Some(_)) => self.unerased.push(change.seq),
                (None, _) => {}
            }
            if change.is_redaction()
                && let Some(after) = &mut change.after
            {
                let told = after.remove(REDACTION).unwrap_or_default();
                let parts = told.get("parts").and_then(Value::as_array).into_iter().flatten();
                change.parts = parts.filter_map(Value::as_str).map(str::to_owned).collect();
            }
        }
    }

    /// The latest entry.
    pub(super) fn last(&self) -> Option<&Change> {
        self.changes.last()
    }

    /// The number of the latest entry.
    pub(super) fn seq(&self) -> i64 {
        self.changes.last().map_or(0, |change| change.seq)
    }

    /// Whether the latest entry says that the record was purged.
    pub(super) fn is_purged(&self) -> bool {
        self.changes.last().is_some_and(|change| change.kind.ends_with(".purged"))
    }

    /// The entries that set and cleared a field in turn: each span with the entry that ended it.
    pub(super) fn spans(&self, field: &str) -> Vec<(i64, Option<i64>)> {
        let mut spans: Vec<(i64, Option<i64>)> = Vec::new();
        for change in &self.changes {
            let Some(value) = change.after.as_ref().and_then(|after| after.get(field)) else { continue };
            match spans.last_mut() {
                Some((_, open @ None)) if value.is_null() => *open = Some(change.seq),
                _ if !value.is_null() => spans.push((change.seq, None)),
                _ => {}
            }
        }
        spans
    }

    /// Each entry with the parts that it tells of, in order.
    pub(super) fn entries_of_parts(&self) -> Vec<PartEntry<'_>> {
        let mut entries = Vec::new();
        for change in &self.changes {
            entries.extend(change.parts().into_iter().map(|part| PartEntry {
                part,
                seq: change.seq,
                at: change.at,
            }));
        }
        entries
    }

    /// The entry with this number.
    pub(super) fn change(&self, seq: i64) -> Option<&Change> {
        let place = self.changes.binary_search_by_key(&seq, |change| change.seq).ok()?;
        self.changes.get(place)
    }
}

/// An entry about a part of the record.
#[derive(Debug)]
pub(super) struct PartEntry<'s> {
    /// The part, such as `tasks/3`.
    pub(super) part: &'s str,
    pub(super) seq: i64,
    pub(super) at: Timestamp,
}

/// The part that a field belongs to: `tasks/3` of `tasks/3/title`, and of `tasks/3` itself.
fn part_of(field: &str) -> Option<&str> {
    let (prefix, rest) = field.split_once('/')?;
    let id = rest.split('/').next().unwrap_or_default();
    field.get(..prefix.len() + 1 + id.len())
}

impl Change {
    fn of(entry: Entry) -> Self {
        let fields = entry.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let by = (entry.actor.kind, entry.actor.id);
        let is_made = entry.kind.ends_with(".created");
        let is_redaction = entry.kind.ends_with(".redacted");
        let (payload, redaction) = match entry.payload {
            text if is_redaction => (None, text),
            text => (text.filter(|_| is_made), None),
        };
        let after = fields.map(after);
        Self {
            seq: entry.seq,
            at: entry.at,
            by,
            kind: entry.kind,
            payload,
            redaction,
            parts: Vec::new(),
            after,
        }
    }

    /// Whether it is a new state of the record in which every field may have been rewritten.
    pub(super) fn is_redaction(&self) -> bool {
        self.kind.ends_with(".redacted")
    }

    /// The parts of the record that it tells of, such as `tasks/3`, in order.
    pub(super) fn parts(&self) -> BTreeSet<&str> {
        let fields = self.after.iter().flat_map(HashMap::keys);
        let redacted = self.parts.iter().map(String::as_str);
        fields.filter_map(|field| part_of(field)).chain(redacted).collect()
    }

    /// The text of the payload of an entry that makes a record.
    pub(super) fn payload(&self) -> Option<&str> {
        self.payload.as_deref()
    }
}

/// The value after each change of a payload `{"field": [before, after]}`.
fn after(payload: Map<String, Value>) -> HashMap<String, Value> {
    let value = |change| match change {
        Value::Array(mut pair) => pair.pop().unwrap_or(Value::Null),
        _ => Value::Null,
    };
    payload.into_iter().map(|(field, change)| (field, value(change))).collect()
}

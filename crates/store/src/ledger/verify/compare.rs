//! Holding one record against its entries.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::recorded::{Made, Recorded, Version};
use super::story::{Change, PartEntry, Story};
use crate::ledger::journal::{Checker, is_hash_of};

/// Notes whatever does not fit.
pub(super) fn record(checker: &mut Checker, story: Option<&Story>, record: &Recorded) {
    let name = format!("the {} {}", record.subject.kind, record.subject.id);
    let Some(story) = story else {
        checker.fault(0, format!("There is no entry about {name}."));
        return;
    };
    if story.is_purged() {
        checker.fault(story.seq(), format!("An entry says that {name} was purged, and it is there."));
        return;
    }
    let mut compare = Compare { checker, story, record, name };
    compare.erased();
    compare.latest();
    compare.fields();
    compare.made();
    compare.versions();
    compare.links();
    compare.parts();
    for fault in &record.faults {
        let detail = format!("{fault} of {}.", compare.name);
        compare.fault(detail);
    }
}

struct Compare<'c> {
    checker: &'c mut Checker,
    story: &'c Story,
    record: &'c Recorded,
    name: String,
}

impl<'c> Compare<'c> {
    fn fault(&mut self, detail: String) {
        // A sentence that begins with a field keeps the field's name as it is.
        let detail = match detail.strip_prefix("the ") {
            Some(rest) => format!("The {rest}"),
            None => detail,
        };
        self.checker.fault(self.story.seq(), detail);
    }

    /// Payloads of a record that is there are erased by a redaction only, which tells them again without the text.
    fn erased(&mut self) {
        let gaps = self.story.changes.iter().filter(|change| change.after.is_none());
        for gap in gaps.map(|change| change.seq).collect::<Vec<_>>() {
            let name = &self.name;
            self.checker.fault(
                gap,
                format!("The payload of an entry about {name} was erased, and no entry says so."),
            );
        }
        for seq in &self.story.unerased {
            let name = &self.name;
            self.checker
                .fault(*seq, format!("An entry says that the payload of this one about {name} was erased."));
        }
    }

    fn latest(&mut self) {
        if self.record.seq_from.is_some_and(|seq| seq != self.story.seq()) {
            self.fault(format!("{} was changed without an entry.", self.name));
        }
    }

    /// Each field is what its latest entry says. One that no entry tells of is null, unless an entry was erased.
    fn fields(&mut self) {
        for (field, value) in &self.record.fields {
            let fits = match self.story.fields.get(field) {
                Some((told, _)) => told == value,
                None => value.is_null() || self.story.has_gap,
            };
            if !fits {
                self.fault(format!("{field} of {} is not what its latest entry says.", self.name));
            }
        }
        for (field, stored) in &self.record.hashed {
            let told = self.story.fields.get(field).and_then(|(told, _)| told.as_str());
            let fits = told.map_or(self.story.has_gap, |told| is_hash_of(told, stored));
            if !fits {
                self.fault(format!("{field} of {} is not what its entry has the hash of.", self.name));
            }
        }
        let is_missing = |(field, (value, _)): &(&String, &(Value, i64))| {
            !value.is_null()
                && !self.record.fields.contains_key(field.as_str())
                && !self.record.hashed.contains_key(field.as_str())
        };
        let missing: BTreeSet<_> = self.story.fields.iter().filter(is_missing).map(|it| it.0).collect();
        for field in missing {
            self.fault(format!("{field} of {} is not there.", self.name));
        }
    }

    /// The record was made when its first entry was, and by the same actor.
    fn made(&mut self) {
        let (Some(made), Some(first)) = (&self.record.made, self.story.changes.first()) else { return };
        if let Some(wrong) = differs(made, first) {
            self.fault(format!("{wrong} of {} is not that of its first entry.", self.name));
        }
    }

    /// Each state was the one after the entry that it begins with, and each entry that changed the record, or a part of it,
    /// has its state.
    fn versions(&mut self) {
        let (record, story) = (self.record, self.story);
        if let Some(first) = record.versions.first() {
            let is_own = |field: &String| first.fields.contains_key(field);
            let told = |change: &&Change| {
                change.is_redaction() || change.after.as_ref().is_some_and(|after| after.keys().any(is_own))
            };
            let changes = story.changes.iter().filter(told).collect();
            self.states(&self.name.clone(), changes, &record.versions);
        }
        if record.histories.is_empty() {
            return;
        }
        let mut changes = changes_of_parts(story);
        for part in &record.histories {
            let changes = changes.remove(part.name.as_str()).unwrap_or_default();
            self.states(&format!("{} of {}", part.name, self.name), changes, &part.versions);
        }
    }

    /// The states of what is called `name`, beside the entries that tell of its fields.
    fn states(&mut self, name: &str, mut changes: Vec<&'c Change>, versions: &[Version]) {
        // What an entry told whose payload was erased is known only by the state that began with it.
        let begun = versions.iter().filter_map(|version| self.story.change(version.seq_from));
        changes.extend(begun.filter(|change| change.after.is_none()));
        changes.sort_by_key(|change| change.seq);
        if changes.len() != versions.len() {
            let (told, found) = (changes.len(), versions.len());
            self.fault(format!("{name} has {found} states, and {told} entries that changed it."));
            return;
        }
        let mut state: HashMap<&str, &Value> = HashMap::new();
        let mut is_known = true;
        let mut wrong = Vec::new();
        for (place, (change, version)) in changes.iter().zip(versions).enumerate() {
            match &change.after {
                Some(after) => state.extend(after.iter().map(|(field, value)| (field.as_str(), value))),
                None => is_known = false,
            }
            let next = changes.get(place + 1).map(|change| change.seq);
            let number = i64::try_from(place).unwrap_or(i64::MAX) + 1;
            // The fields of the present state have been looked at already.
            let is_past = version.seq_to.is_some();
            let fields_fit = !is_past || !is_known || has_fields(version, &state);
            if !is_state(version, change, number, next) || !fields_fit {
                wrong.push(number);
            }
        }
        for number in wrong {
            self.fault(format!("the state {number} of {name} is not that of its entry."));
        }
    }

    /// Rows that fields stand for.
    fn links(&mut self) {
        let mut found: HashMap<&str, Vec<(i64, Option<i64>)>> = HashMap::new();
        for link in &self.record.links {
            found.entry(&link.field).or_default().push((link.seq_from, link.seq_to));
            let change = self.story.change(link.seq_from);
            let wrong = link.made.as_ref().zip(change).and_then(|(made, change)| differs(made, change));
            if let Some(wrong) = wrong {
                self.fault(format!("{wrong} of {} of {} is not that of its entry.", link.field, self.name));
            }
        }
        let mut wrong: Vec<String> = Vec::new();
        for (field, mut spans) in found {
            spans.sort_unstable();
            if spans != self.story.spans(field) && !self.story.has_gap {
                wrong.push(field.to_owned());
            }
        }
        wrong.sort();
        for field in wrong {
            self.fault(format!("{field} of {} does not begin and end with its entries.", self.name));
        }
    }

    /// Each part is as its latest entry left it, and each entry about it is one version.
    fn parts(&mut self) {
        if self.record.parts.is_empty() || self.story.has_gap {
            return;
        }
        let entries = self.story.entries_of_parts();
        for part in &self.record.parts {
            let last = entries.iter().rev().find(|entry| entry.part == part.name);
            let is_latest = last.is_some_and(|last| (last.seq, last.at) == (part.seq, part.updated));
            let is_counted = |entry: &&PartEntry<'_>| {
                entry.seq <= part.seq && (entry.part == part.name || part.is_counted_with(entry.part))
            };
            let count = entries.iter().filter(is_counted).count();
            if !is_latest || i64::try_from(count) != Ok(part.version) {
                self.fault(format!("the state of {} of {} is not that of its entry.", part.name, self.name));
            }
        }
    }
}

/// What of a record's making is not that of an entry.
fn differs(made: &Made, change: &Change) -> Option<&'static str> {
    if made.at != change.at {
        return Some("the date of making");
    }
    made.by.as_ref().is_some_and(|by| *by != change.by).then_some("the author")
}

/// The entries that tell of each part, such as `comments/3`, in order.
fn changes_of_parts(story: &Story) -> HashMap<&str, Vec<&Change>> {
    let mut all: HashMap<&str, Vec<&Change>> = HashMap::new();
    for change in &story.changes {
        for part in change.parts() {
            all.entry(part).or_default().push(change);
        }
    }
    all
}

fn is_state(version: &Version, change: &Change, number: i64, next: Option<i64>) -> bool {
    (version.number, version.seq_from, version.seq_to, version.updated)
        == (number, change.seq, next, change.at)
}

fn has_fields(version: &Version, state: &HashMap<&str, &Value>) -> bool {
    version
        .fields
        .iter()
        .all(|(field, value)| state.get(field.as_str()).map_or(value.is_null(), |told| *told == value))
}

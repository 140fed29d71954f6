//! Entries that people write into the timeline of an incident: what was noticed, done, decided or said, and when.

use jiff::Timestamp;

use super::Note;
use crate::actor::{Actor, Author};
use crate::error::Result;
use crate::fault::{FaultCode, Faults};
use crate::ids::IncidentNumber;
use crate::time::{self, CLOCK_TOLERANCE};

crate::words! {
    "EntryKind"
    /// What an entry of a timeline tells of.
    pub enum EntryKind {
        /// Something was noticed for the first time.
        Detection = "detection",
        /// Something was done.
        Action = "action",
        /// Something was seen or found out.
        Observation = "observation",
        /// Something was decided.
        Decision = "decision",
        /// Somebody was told, or told something.
        Communication = "communication",
        /// Something was kept that proves what happened.
        Evidence = "evidence",
    }
}

/// An entry that somebody wrote into the timeline of an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it has in common with comments.
    pub note: Note,
    /// What it tells of.
    pub kind: EntryKind,
    /// The time that it speaks of.
    pub at: Timestamp,
    /// Whether it is among the most important ones.
    pub pinned: bool,
}

/// An entry to write. The text has passed its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// See [`Entry::kind`].
    pub kind: EntryKind,
    /// See [`Note::text`].
    pub text: String,
    /// See [`Entry::at`]; by default now.
    pub at: Option<Timestamp>,
    /// See [`Entry::pinned`].
    pub pinned: bool,
}

/// Checks the time that an entry speaks of: at most 5 minutes ahead of `now`, because clocks differ.
pub fn check_at(sent: Option<Timestamp>, now: Timestamp, faults: &mut Faults) {
    let latest = now.saturating_add(CLOCK_TOLERANCE).unwrap_or(Timestamp::MAX);
    if sent.is_some_and(|sent| sent > latest) {
        let detail = format!("must not lie in the future; it is {} now", time::format(now));
        faults.add("#/at", FaultCode::DateInFuture, detail);
    }
}

impl NewEntry {
    /// The entry with this `number`, written at `now`.
    pub fn write(
        &self,
        incident: IncidentNumber,
        number: i64,
        author: Actor,
        now: Timestamp,
    ) -> Result<Entry> {
        let mut faults = Faults::new();
        check_at(self.at, now, &mut faults);
        let (at, note) =
            (self.at.unwrap_or(now), Note::new(incident, number, self.text.clone(), author, now));
        faults.or(Entry { note, kind: self.kind, at, pinned: self.pinned })
    }
}

/// A change of an entry: what is absent stays. The text has passed its check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are those of Entry and Note")]
pub struct EntryPatch {
    pub kind: Option<EntryKind>,
    pub text: Option<String>,
    pub at: Option<Timestamp>,
    pub pinned: Option<bool>,
}

impl EntryPatch {
    /// The merged entry, changed at `now`, or `None` when nothing changes. Everybody who changes the incident may pin
    /// an entry; the rest is changed by its author. Pinning is no edit.
    pub fn apply(&self, before: &Entry, author: &Author, now: Timestamp) -> Result<Option<Entry>> {
        if self.kind.is_some() || self.text.is_some() || self.at.is_some() {
            before.note.check_author(author)?;
        }
        let mut faults = Faults::new();
        check_at(self.at, now, &mut faults);
        faults.or(())?;
        let (kind, at) = (self.kind.unwrap_or(before.kind), self.at.unwrap_or(before.at));
        let (text, pinned) =
            (self.text.as_ref().unwrap_or(&before.note.text), self.pinned.unwrap_or(before.pinned));
        let is_edited = (kind, at, text) != (before.kind, before.at, &before.note.text);
        let note = match is_edited {
            true => before.note.edited(text.clone(), &author.actor, now),
            false => before.note.next(now),
        };
        Ok((is_edited || pinned != before.pinned).then_some(Entry { note, kind, at, pinned }))
    }
}

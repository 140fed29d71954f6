//! Writing and editing notes.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::Note;
use super::kind::{NoteKind, Sent};
use super::mention::mentions;
use crate::actor::Author;
use crate::error::Result;
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::text::Prose;
use crate::time::{self, CLOCK_TOLERANCE};

/// A note to write. A member that does not belong to its kind is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNote {
    /// See [`Note::kind`].
    pub kind: NoteKind,
    /// See [`Note::text`].
    pub text: Prose,
    /// See [`Note::at`]; by default now.
    pub at: Option<Timestamp>,
    /// See [`Note::pinned`].
    pub pinned: Option<bool>,
    /// See [`Note::mentions`].
    pub mentions: Option<Vec<UserId>>,
}

/// Checks the time that a note speaks of: at most 5 minutes ahead of `now`, because clocks differ.
pub fn check_at(sent: Option<Timestamp>, now: Timestamp, faults: &mut Faults) {
    let latest = now.saturating_add(CLOCK_TOLERANCE).unwrap_or(Timestamp::MAX);
    if sent.is_some_and(|sent| sent > latest) {
        let detail = format!("must not lie in the future; it is {} now", time::format(now));
        faults.add("#/at", FaultCode::DateInFuture, detail);
    }
}

impl NewNote {
    /// A note of a kind with nothing but a text.
    pub fn of(kind: NoteKind, text: Prose) -> Self {
        Self { kind, text, at: None, pinned: None, mentions: None }
    }

    /// The note with this `number`, written at `now`. `members` are the members among the people whom it mentions.
    pub fn write(
        &self,
        number: i64,
        members: &BTreeSet<UserId>,
        author: &Author,
        now: Timestamp,
    ) -> Result<Note> {
        self.kind.check_writer(author)?;
        let mut faults = Faults::new();
        self.kind.check_members(sent(self.at, self.pinned, self.mentions.as_ref()), &mut faults);
        check_at(self.at, now, &mut faults);
        let named = self.mentions.as_deref().unwrap_or_default();
        let mentions = mentions(named, |id| members.contains(&id), &mut faults);
        faults.or(Note {
            number,
            kind: self.kind,
            text: self.text.clone(),
            at: self.at.unwrap_or(now),
            pinned: self.pinned.unwrap_or_default(),
            mentions,
            author: author.actor.clone(),
            created_date: now,
            edit_count: 0,
            edited_date: None,
            edited_by: None,
            updated_date: now,
            deleted_date: None,
            version: 1,
            seq: 0,
            seq_from: 0,
        })
    }
}

/// A change of a note: what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are those of Note")]
pub struct NotePatch {
    pub kind: Option<NoteKind>,
    pub text: Option<Prose>,
    pub at: Option<Timestamp>,
    pub pinned: Option<bool>,
    pub mentions: Option<Vec<UserId>>,
}

impl NotePatch {
    /// The merged note, changed at `now`, or `None` when nothing changes. Everybody who writes notes of its kind may pin it;
    /// the rest is changed by its author. Pinning is no edit. `members` are the members among the people whom the patch
    /// mentions; who was mentioned before may have left.
    pub fn apply(
        &self,
        before: &Note,
        members: &BTreeSet<UserId>,
        author: &Author,
        now: Timestamp,
    ) -> Result<Option<Note>> {
        let Self { kind, text, at, pinned, mentions: named } = self;
        if kind.is_some() || text.is_some() || at.is_some() || named.is_some() {
            before.check_author(author)?;
        }
        if *self != Self::default() {
            before.kind.check_writer(author)?;
        }
        let mut faults = Faults::new();
        before.kind.check_members(sent(*at, *pinned, named.as_ref()), &mut faults);
        before.kind.check_change(kind.unwrap_or(before.kind), &mut faults);
        check_at(*at, now, &mut faults);
        let is_known = |id| members.contains(&id) || before.mentions.contains(&id);
        let mentions = named.as_ref().map(|named| mentions(named, is_known, &mut faults));
        faults.or(())?;
        let merged = Note {
            kind: kind.unwrap_or(before.kind),
            text: text.as_ref().unwrap_or(&before.text).clone(),
            at: at.unwrap_or(before.at),
            mentions: mentions.unwrap_or_else(|| before.mentions.clone()),
            ..before.clone()
        };
        let pinned = pinned.unwrap_or(before.pinned);
        if merged != *before {
            return Ok(Some(Note { pinned, ..merged.edited(&author.actor, now) }));
        }
        Ok((pinned != before.pinned).then(|| Note { pinned, ..before.next(now) }))
    }
}

fn sent(at: Option<Timestamp>, pinned: Option<bool>, mentions: Option<&Vec<UserId>>) -> Sent {
    Sent { at: at.is_some(), pinned: pinned.is_some(), mentions: mentions.is_some() }
}

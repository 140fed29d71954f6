//! Writing and editing notes.

use std::collections::BTreeSet;

use jiff::Timestamp;
use macros::Body;

use super::Note;
use super::kind::{NoteKind, Sent};
use super::mention::{MAX_MENTIONS, mentions};
use crate::actor::Author;
use crate::error::Result;
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::json::Fields;
use crate::text::Prose;
use crate::time::{self, CLOCK_TOLERANCE};

/// The members that only the service sets; sending one is a fault.
const READ_ONLY: &[&str] = &[
    "number",
    "incident",
    "author",
    "created_date",
    "edited_date",
    "edited_by",
    "revision_count",
    "updated_date",
    "deleted_date",
    "version",
    "warnings",
];

/// A note to write. A comment has no `at` and no `pinned`, and the other kinds have no `mentions`.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(with(now: Timestamp), check = Self::check_sent(kind, at, now), read_only = READ_ONLY)]
pub struct NewNote {
    /// The kind.
    #[body(example = "action")]
    pub kind: NoteKind,
    /// Markdown, not blank, at most 64 KiB.
    #[body(example = "The sender is blocked at the mail gateway.")]
    pub text: Prose,
    /// The event time; now by default.
    pub at: Option<Timestamp>,
    /// Whether it is among the most important ones.
    pub pinned: Option<bool>,
    /// Of a comment: the ids of the members whom it mentions. A mention gives no access.
    #[body(most = MAX_MENTIONS)]
    pub mentions: Option<Vec<UserId>>,
}

/// Checks the time that a note speaks of: at most 5 minutes ahead of `now`, because clocks differ.
pub fn check_at(sent: Option<Timestamp>, now: Timestamp, faults: &mut Faults) {
    let latest = now.saturating_add(CLOCK_TOLERANCE).unwrap_or(Timestamp::MAX);
    if sent.is_some_and(|sent| sent > latest) {
        let detail = format!("must not be in the future; it is {} now", time::format(now));
        faults.add("#/at", FaultCode::DateInFuture, detail);
    }
}

impl NewNote {
    /// The write checks this again with its exact time; it is checked here so that all faults are reported together.
    fn check_sent(
        fields: &mut Fields<'_, '_>,
        kind: Option<&NoteKind>,
        at: Option<&Timestamp>,
        now: Timestamp,
    ) {
        check_at(at.copied(), now, fields.faults());
        let [at, pinned, mentions] = ["at", "pinned", "mentions"].map(|name| fields.was_sent(name));
        if let Some(kind) = kind {
            kind.check_members(Sent { at, pinned, mentions }, fields.faults());
        }
    }

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

/// A merge patch (RFC 7396) of a note: absent members stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(patch, read_only = READ_ONLY)]
pub struct NotePatch {
    /// The kind. A comment stays a comment, and nothing else becomes one.
    pub kind: Option<NoteKind>,
    /// Markdown, not blank, at most 64 KiB.
    #[body(example = "The sender and its domain are blocked at the mail gateway.")]
    pub text: Option<Prose>,
    /// The event time; a comment has none.
    pub at: Option<Timestamp>,
    /// Whether it is pinned; a comment never is. Everyone who may change the incident can set this.
    pub pinned: Option<bool>,
    /// Of a comment: the ids of all members whom it mentions.
    #[body(most = MAX_MENTIONS)]
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

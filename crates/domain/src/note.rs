//! Notes: what people write about a record. A comment is said to others and may mention them; the other kinds tell what was
//! noticed, done, decided or said, and when.

mod kind;
mod limits;
mod mention;
#[cfg(test)]
mod tests;
mod write;

use jiff::Timestamp;
use macros::Record;

pub use kind::{NoteKind, Sent};
pub use limits::{MAX_NOTE_BYTES, MAX_NOTES, NoteTotal};
pub use mention::{MAX_MENTIONS, Mention, MentionWarning, addresses, mention_warning};
pub use write::{NewNote, NotePatch, check_at};

use crate::actor::{Actor, Author};
use crate::error::Result;
use crate::ids::UserId;
use crate::scope::Scope;
use crate::text::Prose;

/// A note about a record.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
pub struct Note {
    /// Counts the notes about the record from 1. A number is never used twice.
    pub number: i64,
    /// The kind.
    pub kind: NoteKind,
    /// Markdown.
    #[record(label = "Text", holds = Prose, redacted, searched)]
    pub text: Prose,
    /// The event time; of a comment the time of writing.
    pub at: Timestamp,
    /// Whether it is among the most important ones. A comment never is.
    pub pinned: bool,
    /// The people whom it mentions, each once, in the order in which they were sent. Only comments do.
    pub mentions: Vec<UserId>,
    /// Who wrote it.
    pub author: Actor,
    /// When it was written.
    pub created_date: Timestamp,
    /// How often it was edited.
    pub edit_count: i64,
    /// When it was last edited.
    pub edited_date: Option<Timestamp>,
    /// Who edited it last.
    pub edited_by: Option<Actor>,
    /// When it was last changed: edited, pinned, deleted or restored.
    pub updated_date: Timestamp,
    /// When it was deleted, if it is.
    pub deleted_date: Option<Timestamp>,
    /// Counts its states from 1.
    pub version: i64,
    /// The number of the journal entry that tells of its making.
    pub seq: i64,
    /// The number of the journal entry that tells of its latest change.
    pub seq_from: i64,
}

impl Note {
    /// Refuses to change what somebody else wrote; holders of `incidents:delete` may.
    pub fn check_author(&self, author: &Author) -> Result<()> {
        let Author { actor, permissions, .. } = author;
        if (actor.kind, &actor.id) == (self.author.kind, &self.author.id) {
            return Ok(());
        }
        let needed = Scope::IncidentsDelete.into();
        permissions.note_required(needed);
        author.scopes().require_all(needed)
    }

    /// The next state, which begins `at` this moment.
    #[must_use]
    pub fn next(&self, at: Timestamp) -> Self {
        Self { updated_date: at, version: self.version + 1, ..self.clone() }
    }

    /// The next state, which `by` wrote.
    #[must_use]
    pub fn edited(&self, by: &Actor, at: Timestamp) -> Self {
        Self {
            edit_count: self.edit_count + 1,
            edited_date: Some(at),
            edited_by: Some(by.clone()),
            ..self.next(at)
        }
    }

    /// The state after a deletion, or after a restoration if it is deleted.
    #[must_use]
    pub fn deleted_or_restored(&self, at: Timestamp) -> Self {
        let deleted_date = self.deleted_date.is_none().then_some(at);
        Self { deleted_date, ..self.next(at) }
    }

    /// Counts what it said: 1 as it was written, and 1 more with each edit.
    pub fn revision(&self) -> i64 {
        self.edit_count + 1
    }
}

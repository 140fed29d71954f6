//! What people write about an incident: entries of its timeline, and comments. Both are notes here.

mod comment;
mod entry;
#[cfg(test)]
mod tests;

use jiff::Timestamp;

pub use comment::{
    Comment, CommentPatch, MAX_MENTIONS, Mention, MentionWarning, NewComment, mention_warning,
};
pub use entry::{Entry, EntryKind, EntryPatch, NewEntry, check_at};

use crate::actor::{Actor, Author};
use crate::error::Result;
use crate::fault::Faults;
use crate::ids::IncidentNumber;
use crate::scope::Scope;

/// What entries and comments have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The incident that it is about.
    pub incident: IncidentNumber,
    /// Counts the entries of the incident, or its comments, from 1. A number is never used twice.
    pub number: i64,
    /// Markdown.
    pub text: String,
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

/// Checks the text of a note.
pub fn text(text: &str, pointer: &str, faults: &mut Faults) {
    crate::text::filled_prose(text, pointer, faults);
}

impl Note {
    /// A note as it is written `at` this moment.
    pub fn new(incident: IncidentNumber, number: i64, text: String, author: Actor, at: Timestamp) -> Self {
        Self {
            incident,
            number,
            text,
            author,
            created_date: at,
            edit_count: 0,
            edited_date: None,
            edited_by: None,
            updated_date: at,
            deleted_date: None,
            version: 1,
            seq: 0,
            seq_from: 0,
        }
    }

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

    /// The state after an edit.
    #[must_use]
    pub fn edited(&self, text: String, by: &Actor, at: Timestamp) -> Self {
        Self {
            text,
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

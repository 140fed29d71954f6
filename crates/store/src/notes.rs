//! What people write about an incident: entries of its timeline, and comments. Both are kept in the same way: as parts of
//! the incident, each with a history and a soft deletion of its own.

pub mod comments;
pub mod entries;
mod read;
mod revisions;
mod write;

pub(crate) use write::keep_state;

use domain::note::{Comment, Entry, Note};
use domain::{IncidentNumber, ResourceKind};
use jiff::Timestamp;

use crate::part::{Part, PartWithHistory};
use crate::record::{Record, columns, record};
use crate::verify::recorded::Made;

columns! {
    Note {
        incident: Plain => Key,
        number: Plain => Key,
        text: Plain => Journaled,
        author: AnActor => Fixed,
        created_date: Plain => Fixed,
        edit_count: PlainOrDefault => Journaled,
        edited_date: Plain => Journaled,
        edited_by: AnActor => Journaled,
        updated_date: Plain => Counted,
        deleted_date: Plain => Journaled,
        version: Plain => Counted,
        seq: Plain => Fixed,
        seq_from: Plain => Counted,
    }
}

record! {
    Entry in "incident_entry" with note: Note {
        kind: AWord => Journaled,
        at: Plain => Journaled,
        pinned: PlainOrDefault => Journaled,
    }
}

record! {
    Comment in "incident_comment" with note: Note {
        mentions: AList => Journaled,
    }
}

/// The number of a note, and of the incident that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteId {
    /// The incident.
    pub incident: IncidentNumber,
    /// The number of the entry or comment.
    pub number: i64,
}

/// A kind of note.
trait NoteKind: Record + Clone {
    /// What its fields begin with in entries of the journal.
    const FIELDS: &'static str;
    /// What is not found if there is none.
    const NOUN: ResourceKind;
    /// The entries of the journal that tell of it.
    const ENTRIES: Entries;

    /// What all kinds have in common.
    fn note(&self) -> &Note;

    /// The same, to change it.
    fn note_mut(&mut self) -> &mut Note;
}

/// The kinds of entries of the journal about a kind of note.
struct Entries {
    added: &'static str,
    updated: &'static str,
    deleted: &'static str,
    restored: &'static str,
}

impl NoteKind for Entry {
    const FIELDS: &'static str = "entries";
    const NOUN: ResourceKind = ResourceKind::Entry;
    const ENTRIES: Entries = Entries {
        added: "incident.entry_added",
        updated: "incident.entry_updated",
        deleted: "incident.entry_deleted",
        restored: "incident.entry_restored",
    };

    fn note(&self) -> &Note {
        &self.note
    }

    fn note_mut(&mut self) -> &mut Note {
        &mut self.note
    }
}

impl NoteKind for Comment {
    const FIELDS: &'static str = "comments";
    const NOUN: ResourceKind = ResourceKind::Comment;
    const ENTRIES: Entries = Entries {
        added: "incident.comment_added",
        updated: "incident.comment_updated",
        deleted: "incident.comment_deleted",
        restored: "incident.comment_restored",
    };

    fn note(&self) -> &Note {
        &self.note
    }

    fn note_mut(&mut self) -> &mut Note {
        &mut self.note
    }
}

impl<N: NoteKind> Part for N {
    const PREFIX: &'static str = N::FIELDS;
    const WHOLE: &'static str = "incident";

    fn whole(&self) -> i64 {
        self.note().incident.number()
    }

    fn id(&self) -> String {
        self.note().number.to_string()
    }

    fn entries(&self) -> (i64, i64) {
        (self.note().seq_from, self.note().seq)
    }

    fn made(&self) -> Made {
        Made::by(self.note().created_date, &self.note().author)
    }
}

impl<N: NoteKind> PartWithHistory for N {
    fn state(&self) -> (i64, Timestamp) {
        (self.note().version, self.note().updated_date)
    }
}

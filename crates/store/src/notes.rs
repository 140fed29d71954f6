//! What people write about incidents. A note is a part of the incident, with a history and a soft deletion of its own.

mod list;
mod mentioning;
mod mentions;
mod read;
mod revisions;
mod verify;
mod write;

use domain::IncidentNumber;
use domain::note::Note;
use jiff::Timestamp;

pub(crate) use list::of_timeline;
pub use list::{NoteFilter, NoteQuery, NoteSort, count, list};
pub use mentioning::{Mentioning, mentioning};
pub use mentions::WithMentions;
pub use read::get;
pub use revisions::{count_revisions, list_revisions};
pub(crate) use verify::check as verify;
pub use write::{create, delete, patch_faults, restore, update};

use crate::ledger::part::{PartWithHistory, part};
use crate::ledger::record::{columns, record};

columns! {
    Note {
        number: Plain => Key,
        kind: AWord => Journaled,
        text: Plain => Journaled,
        at: Plain => Journaled,
        pinned: PlainOrDefault => Journaled,
        mentions: AList => Journaled,
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

/// A note about an incident.
#[derive(Debug, Clone)]
pub(crate) struct IncidentNote {
    note: Note,
    incident: IncidentNumber,
}

record! {
    IncidentNote in "incident_note" with note: Note {
        incident: Plain => Key,
    }
}

/// The number of a note, and of the incident that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteId {
    /// The incident.
    pub incident: IncidentNumber,
    /// The number of the note.
    pub number: i64,
}

part! {
    IncidentNote as "notes" |it| {
        id: it.note.number,
        entries: (it.note.seq_from, it.note.seq),
        made: (it.note.created_date, &it.note.author),
    }
}

impl PartWithHistory for IncidentNote {
    fn state(&self) -> (i64, Timestamp) {
        (self.note.version, self.note.updated_date)
    }
}

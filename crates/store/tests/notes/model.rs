//! What notes should be after a history, kept in plain lists.

use domain::note::NoteKind;
use jiff::Timestamp;

/// One change by one of the people. A note is named by its place.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) by: usize,
    pub(crate) what: What,
}

/// What somebody does; `note` counts from 1.
#[derive(Debug, Clone)]
pub(crate) enum What {
    Add { content: Content, pinned: bool },
    Edit { note: usize, content: Content },
    Pin { note: usize, pinned: bool },
    Delete { note: usize },
    Restore { note: usize },
}

/// What a note says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) kind: NoteKind,
    pub(crate) text: String,
    /// None of a comment.
    pub(crate) at: Option<Timestamp>,
    /// The people are those of the history.
    pub(crate) mentions: Vec<usize>,
}

impl Content {
    pub(crate) fn is_comment(&self) -> bool {
        self.kind == NoteKind::Comment
    }
}

/// Whom the model takes for granted to hold `incidents:delete`.
pub(crate) const MODERATOR: usize = 2;

/// Why a change is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    NotFound,
    Forbidden,
    NotOfKind,
}

/// A note and what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) author: usize,
    pub(crate) pinned: bool,
    pub(crate) deleted: bool,
    pub(crate) version: i64,
    /// What it said, and who wrote it so.
    pub(crate) revisions: Vec<(Content, usize)>,
}

impl Note {
    fn check_author(&self, by: usize) -> Result<(), Refused> {
        if by == self.author || by == MODERATOR { Ok(()) } else { Err(Refused::Forbidden) }
    }

    fn content(&self) -> &Content {
        &self.revisions.last().unwrap().0
    }
}

/// The notes about one incident.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Model {
    pub(crate) notes: Vec<Note>,
}

impl Model {
    /// Makes a change, if it is allowed.
    pub(crate) fn apply(&mut self, change: &Change) -> Result<(), Refused> {
        let Change { by, what } = change;
        match what {
            What::Add { content, pinned } => {
                let revisions = vec![(content.clone(), *by)];
                let (author, pinned) = (*by, *pinned);
                self.notes.push(Note { author, pinned, deleted: false, version: 1, revisions });
            }
            What::Edit { note, content } => {
                let note = self.note(*note, false)?;
                note.check_author(*by)?;
                if note.content().is_comment() != content.is_comment() {
                    return Err(Refused::NotOfKind);
                }
                if note.content() != content {
                    note.version += 1;
                    note.revisions.push((content.clone(), *by));
                }
            }
            What::Pin { note, pinned } => {
                let note = self.note(*note, false)?;
                if note.content().is_comment() {
                    return Err(Refused::NotOfKind);
                }
                note.version += i64::from(note.pinned != *pinned);
                note.pinned = *pinned;
            }
            What::Delete { note } => {
                let note = self.note(*note, false)?;
                note.check_author(*by)?;
                (note.deleted, note.version) = (true, note.version + 1);
            }
            What::Restore { note } => {
                let note = self.note(*note, true)?;
                (note.deleted, note.version) = (false, note.version + 1);
            }
        }
        Ok(())
    }

    fn note(&mut self, number: usize, deleted: bool) -> Result<&mut Note, Refused> {
        self.notes.get_mut(number - 1).filter(|note| note.deleted == deleted).ok_or(Refused::NotFound)
    }
}

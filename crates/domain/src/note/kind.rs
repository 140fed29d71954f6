//! The kinds of notes, and what belongs to each.

use crate::actor::Author;
use crate::error::Result;
use crate::fault::{FaultCode, Faults};
use crate::incident::{Incident, Viewer};
use crate::scope::Scope;

crate::words! {
    "NoteKind"
    /// The kind of a note.
    pub enum NoteKind {
        /// A message to the others; it may mention them.
        Comment = "comment",
        /// Something was detected for the first time.
        Detection = "detection",
        /// Something was done.
        Action = "action",
        /// Something was observed or found.
        Observation = "observation",
        /// Something was decided.
        Decision = "decision",
        /// Someone was informed, or gave information.
        Communication = "communication",
        /// Something was kept that proves what happened.
        Evidence = "evidence",
    }
}

/// Which of the members that belong to some kinds only were sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of Note")]
pub struct Sent {
    pub at: bool,
    pub pinned: bool,
    pub mentions: bool,
}

impl NoteKind {
    /// Adds a fault for each member that was sent and does not belong to this kind.
    pub fn check_members(self, sent: Sent, faults: &mut Faults) {
        let is_comment = self == Self::Comment;
        let members = [
            ("#/at", sent.at && is_comment),
            ("#/pinned", sent.pinned && is_comment),
            ("#/mentions", sent.mentions && !is_comment),
        ];
        for (pointer, _) in members.into_iter().filter(|(_, is_misplaced)| *is_misplaced) {
            let detail = format_args!("does not belong to a note of the kind {self}");
            faults.add(pointer, FaultCode::NotOfKind, detail);
        }
    }

    /// Adds a fault if a note of this kind cannot become one of the `other`: a comment stays one, and nothing becomes one.
    pub fn check_change(self, other: Self, faults: &mut Faults) {
        if self != other && (self == Self::Comment || other == Self::Comment) {
            let detail = format_args!("cannot change from {self} to {other}");
            faults.add("#/kind", FaultCode::NotOfKind, detail);
        }
    }

    /// Refuses those who may not write notes of this kind: who only declares incidents comments on them.
    pub fn check_writer(self, author: &Author) -> Result<()> {
        let scopes = author.scopes();
        if self == Self::Comment {
            return scopes.require_any(&[Scope::IncidentsWrite, Scope::IncidentsDeclare]);
        }
        let needed = Scope::IncidentsWrite.into();
        author.permissions.note_required(needed);
        scopes.require_all(needed)
    }

    /// Refuses those who may not write notes of this kind about this incident: without `incidents:write` one comments on
    /// incidents that one opened.
    pub fn check_incident(self, author: &Author, incident: &Incident) -> Result<()> {
        self.check_writer(author)?;
        if Viewer::of(author).comments_on(incident, author.scopes()) {
            return Ok(());
        }
        author.scopes().require_all(Scope::IncidentsWrite.into())
    }
}

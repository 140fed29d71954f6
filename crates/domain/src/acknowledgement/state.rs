//! What lists say of a person who is asked to acknowledge a document.

use jiff::Timestamp;

use super::Coverage;
use crate::actor::{Actor, ActorKind};
use crate::ids::UserId;
use crate::person::Person;
use crate::scope::{Scope, Scopes};
use crate::text::{Line, Reason};

crate::words! {
    "AcknowledgementStatus"
    /// Whether a person who is asked has acknowledged a document.
    pub enum AcknowledgementStatus {
        /// They gave an acknowledgement that counts.
        Covered = "covered",
        /// They have not acknowledged, and still have time.
        Open = "open",
        /// They have not acknowledged, and their time is over.
        Overdue = "overdue",
        /// They cannot sign in, because they have not accepted an invitation.
        NotReached = "not_reached",
    }
}

/// A person and a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonCoverage {
    /// The person.
    pub person: Person,
    /// What lists say of it.
    pub status: AcknowledgementStatus,
    /// Whether they have acknowledged it.
    pub coverage: Coverage,
    /// The SHA-256 of the text whose acknowledgement counts.
    pub sha256: Option<String>,
    /// The name or the place of the signed paper, if the acknowledgement that counts was given on paper.
    pub on_paper: Option<Line>,
    /// The name of who recorded that paper.
    pub recorded_by: Option<String>,
}

/// What a person has to acknowledge: the newest version of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToAcknowledge {
    /// The document's slug.
    pub document: String,
    /// Its title.
    pub title: String,
    /// The newest version.
    pub document_version: i64,
    /// The SHA-256 of its text.
    pub sha256: String,
    /// The latest version that they have acknowledged; none if they never have.
    pub acknowledged_version: Option<i64>,
    /// The latest reason of a material version since then.
    pub material_reason: Option<Reason>,
    /// Since when they are asked.
    pub asked_date: Timestamp,
    /// Until when they have time; none sets no date.
    pub due_date: Option<Timestamp>,
    /// Whether their time is over.
    pub is_overdue: bool,
}

/// Whether a caller sees who has acknowledged a document; others see how many have, and themselves.
pub fn sees_everybody(caller: &Actor, scopes: Scopes, owner: Option<UserId>) -> bool {
    let is_owner =
        caller.kind == ActorKind::User && owner.is_some_and(|owner| caller.id == owner.to_string());
    is_owner || scopes.has(Scope::DocumentsWrite) || scopes.has(Scope::JournalRead)
}

impl Coverage {
    /// What lists say of it at a moment; none if the person is not asked.
    pub fn status(&self, at: Timestamp) -> Option<AcknowledgementStatus> {
        match self {
            Self::NotAsked => None,
            Self::Covered { .. } => Some(AcknowledgementStatus::Covered),
            Self::Open { .. } if self.is_overdue(at) => Some(AcknowledgementStatus::Overdue),
            Self::Open { .. } => Some(AcknowledgementStatus::Open),
            Self::NotReached => Some(AcknowledgementStatus::NotReached),
        }
    }
}

impl ToAcknowledge {
    /// The version that they have acknowledged, if the newest one is another.
    pub fn since(&self) -> Option<i64> {
        self.acknowledged_version.filter(|version| *version < self.document_version)
    }

    /// Its place in the list: by the date until when there is time, those without one last, then by slug.
    pub fn position(&self) -> (Timestamp, String) {
        (self.due_date.unwrap_or(Timestamp::MAX), self.document.clone())
    }
}

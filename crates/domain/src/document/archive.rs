//! Archiving documents that are no longer in use, and restoring them; which of them can be deleted.

use jiff::Timestamp;
use macros::Body;

use super::{Document, DocumentStatus, ProposalStatus};
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::text::Reason;

/// Why a document is archived.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(name = "DocumentArchiving")]
pub struct Archiving {
    /// The reason. The proposal that ends with it has the same one.
    #[body(example = "The access control policy replaces it.")]
    pub reason: Option<Reason>,
}

/// What became of a document that was archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// The document.
    pub document: Document,
    /// The number of its proposal that was open or submitted and is withdrawn.
    pub withdrawn_proposal: Option<i64>,
    /// How many requests to acknowledge it have ended.
    pub ended_requests: i64,
}

impl Document {
    /// The document once it is archived at `at`.
    ///
    /// # Errors
    /// If it is archived already.
    pub fn archive(&self, archiving: &Archiving, at: Timestamp) -> Result<Self> {
        if self.status == DocumentStatus::Archived {
            return Err(Error::Conflict(ErrorCode::DocumentArchived));
        }
        let archived = Self {
            status: DocumentStatus::Archived,
            status_reason: archiving.reason.clone(),
            archived_date: Some(at),
            ..self.changed(at)
        };
        Ok(archived.with_next_review())
    }

    /// Refuses to delete it for good once it was published, as others may have relied on it, if others have worked on it
    /// (`is_worked_on`), or while a proposal of it is submitted.
    ///
    /// # Errors
    /// If it has a version, is worked on, or has a submitted proposal.
    pub fn check_deletion(&self, is_worked_on: bool) -> Result<()> {
        let is_submitted = self.proposal_status == Some(ProposalStatus::Submitted);
        match (self.published_version, is_worked_on, is_submitted) {
            (Some(_), _, _) => Err(Error::Conflict(ErrorCode::DocumentPublished)),
            (None, true, _) => Err(Error::Conflict(ErrorCode::DocumentWorkedOn)),
            (None, false, true) => Err(Error::Conflict(ErrorCode::ProposalSubmitted)),
            (None, false, false) => Ok(()),
        }
    }

    /// The document in use again from `at` on; none if it is not archived.
    pub fn restore(&self, at: Timestamp) -> Option<Self> {
        let status = match self.published_version {
            Some(_) => DocumentStatus::Published,
            None => DocumentStatus::Draft,
        };
        let restored = Self { status, status_reason: None, archived_date: None, ..self.changed(at) };
        (self.status == DocumentStatus::Archived).then(|| restored.with_next_review())
    }

    /// The document with one change more, at `at`.
    pub(super) fn changed(&self, at: Timestamp) -> Self {
        Self { updated_date: at, version: self.version + 1, ..self.clone() }
    }
}

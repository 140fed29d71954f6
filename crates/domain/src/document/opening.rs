//! What a new proposal begins with.

use macros::Body;

use super::{Document, NOT_WRITTEN, ProposalStatus};
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::fault::{FaultCode, Faults};
use crate::json::{FromJson as _, Json, Pointer};

/// What a new proposal begins with; nothing without a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Body)]
pub struct ProposalOpening {
    /// The number of a rejected or withdrawn proposal of the document: the new one has its changes and their authors.
    #[body(range = 1..=2_147_483_647, example = 3)]
    pub from: Option<i64>,
    /// Whether it confirms what is published: the same text goes through the same approval, which makes no version and asks
    /// nobody to acknowledge it again. False by default, and not sent with `from`.
    #[body(default, example = true)]
    pub confirm: bool,
}

impl ProposalOpening {
    /// Reads a body that may be absent.
    pub fn read(body: Json<'_>, faults: &mut Faults) -> Option<Self> {
        match body {
            Json::Null => Some(Self::default()),
            body => Self::from_json(body, Pointer::ROOT, faults),
        }
    }

    /// Checks it against its document.
    ///
    /// # Errors
    /// If the document is archived or has an open proposal, or there is nothing to confirm.
    pub fn check(self, document: &Document) -> Result<()> {
        let invalid = |detail| Err(Error::invalid("#/confirm", FaultCode::Conflict, detail));
        if document.archived_date.is_some() {
            return Err(Error::Conflict(ErrorCode::DocumentArchived));
        }
        if self.confirm && self.from.is_some() {
            return invalid("A copy of a proposal confirms what that one does: send `from` or `confirm`.");
        }
        if document.open_proposal.is_some() {
            return Err(Error::Conflict(ErrorCode::ProposalOpen));
        }
        let is_draft = document.published_version.is_none();
        if is_draft && document.is_report() && self.from.is_none() {
            return Err(Error::invalid("#", FaultCode::Conflict, NOT_WRITTEN));
        }
        if self.confirm && is_draft {
            return invalid("The document has no version that could be confirmed.");
        }
        Ok(())
    }
}

/// Fails unless a proposal of this status can be copied.
pub fn check_copied(status: ProposalStatus) -> Result<()> {
    match status {
        ProposalStatus::Rejected | ProposalStatus::Withdrawn => Ok(()),
        other => Err(Error::NotNext(other)),
    }
}

//! What a new proposal begins with.

use macros::Body;

use super::ProposalStatus;
use crate::error::{Error, Result};
use crate::fault::Faults;
use crate::json::{FromJson as _, Json, Pointer};

/// What a new proposal begins with; nothing without a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Body)]
pub struct ProposalOpening {
    /// The number of a rejected or withdrawn proposal of the document: the new one has its changes and their authors.
    #[body(range = 1..=2_147_483_647, example = 3)]
    pub from: Option<i64>,
}

impl ProposalOpening {
    /// Reads a body that may be absent.
    pub fn read(body: Json<'_>, faults: &mut Faults) -> Option<Self> {
        match body {
            Json::Null => Some(Self::default()),
            body => Self::from_json(body, Pointer::ROOT, faults),
        }
    }
}

/// Fails unless a proposal of this status can be copied.
pub fn check_copied(status: ProposalStatus) -> Result<()> {
    match status {
        ProposalStatus::Rejected | ProposalStatus::Withdrawn => Ok(()),
        other => Err(Error::NotNext(other)),
    }
}

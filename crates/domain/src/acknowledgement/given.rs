//! Acknowledgements as they are recorded.

use jiff::Timestamp;
use macros::Body;

use crate::actor::Actor;
use crate::document::Sha256;
use crate::ids::{AcknowledgementId, UserId};
use crate::text::Line;

/// An acknowledgement. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    /// Its id.
    pub id: AcknowledgementId,
    /// The document's slug.
    pub document: String,
    /// The version whose text was acknowledged.
    pub document_version: i64,
    /// The SHA-256 of that text.
    pub sha256: String,
    /// Who acknowledged it.
    pub person: UserId,
    /// The name or the place of the signed paper, if it was not given here.
    pub on_paper: Option<Line>,
    /// Who recorded it: the person, unless it was given on paper.
    pub recorded_by: Actor,
    /// When it was recorded.
    pub created_date: Timestamp,
}

/// An acknowledgement of the text with this hash.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct NewAcknowledgement {
    /// The SHA-256 of the text that was read.
    pub sha256: Sha256,
    /// A paper that somebody else signed; needs `documents:write`. Clients record no other acknowledgement.
    pub on_paper: Option<OnPaper>,
}

/// An acknowledgement on paper.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "AcknowledgementOnPaper")]
pub struct OnPaper {
    /// The id of the member who signed.
    pub user: UserId,
    /// The name of the scanned file, or the place where the paper is kept.
    #[body(example = "Personnel files, folder 7")]
    pub file: Line,
}

//! Reviews of a risk: somebody has looked at it as a whole, with its treatment and its plan.

use jiff::Timestamp;
use macros::Body;

use crate::actor::Actor;
use crate::ids::RiskNumber;
use crate::text::Prose;

/// A review of a risk. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskReview {
    /// The risk.
    pub risk: RiskNumber,
    /// Counts the risk's reviews from 1.
    pub number: i64,
    /// What the reviewer noted.
    pub note: Option<Prose>,
    /// Who reviewed it.
    pub reviewed_by: Actor,
    /// When.
    pub reviewed_date: Timestamp,
    /// The journal's number of the entry that recorded it.
    pub seq_from: i64,
}

/// A review to record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
pub struct NewRiskReview {
    /// What was reviewed and found, as Markdown.
    #[body(example = "Looked at it with the owner; the plan still holds.")]
    pub note: Option<Prose>,
}

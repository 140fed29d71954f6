//! What stood before work on an incident went back a step: nothing is lost when it does.

use jiff::Timestamp;

use super::status::{ResolutionReason, Status};
use super::{Incident, life::Step};
use crate::ids::IncidentNumber;
use crate::text::{Prose, Reason};

/// The state of an incident that ended with a step back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the other fields are those of Incident before the step")]
pub struct Spell {
    /// The status before.
    pub from: Status,
    /// The status after.
    pub to: Status,
    /// Whether the step was a reopening.
    pub is_reopening: bool,
    /// When the status after it began.
    pub at: Timestamp,
    /// Why, as it was said then.
    pub reason: Option<Reason>,
    pub contained_date: Option<Timestamp>,
    pub resolved_date: Option<Timestamp>,
    pub closed_date: Option<Timestamp>,
    pub resolution_reason: Option<ResolutionReason>,
    pub resolution_summary: Option<Prose>,
    pub duplicate_of: Option<IncidentNumber>,
}

impl Spell {
    /// The spell between two consecutive states.
    pub fn between(before: &Incident, after: &Incident) -> Self {
        let step = Step::back(before.status, after.status);
        Self {
            from: before.status,
            to: after.status,
            is_reopening: step.is_some_and(|step| step.is_reopening()),
            at: after.status_date(),
            reason: after.status_reason.clone(),
            contained_date: before.contained_date,
            resolved_date: before.resolved_date,
            closed_date: before.closed_date,
            resolution_reason: before.resolution_reason,
            resolution_summary: before.resolution_summary.clone(),
            duplicate_of: before.duplicate_of,
        }
    }
}

//! What closing an incident requires.

use super::{Incident, Kind};
use crate::severity::Severity;

crate::words! {
    "CloseRequirement"
    /// Something that is missing before an incident can be closed.
    pub enum Requirement {
        /// The severity is undetermined.
        SeverityUndetermined = "severity_undetermined",
        /// There is no resolution summary.
        ResolutionSummaryMissing = "resolution_summary_missing",
        /// A mandatory task is open.
        MandatoryTasksOpen = "mandatory_tasks_open",
        /// The incident is real and of high or critical severity, and no review was published after its last reopening.
        ReviewNotPublished = "review_not_published",
    }
}

/// What the register has around an incident that closing depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Surroundings {
    /// How many mandatory tasks are open.
    pub open_mandatory_tasks: i64,
    /// Whether a review was published after the last reopening.
    pub has_review: bool,
}

impl Requirement {
    /// What to do about it, in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::SeverityUndetermined => "Its severity is not assessed.",
            Self::ResolutionSummaryMissing => "It has no resolution summary.",
            Self::MandatoryTasksOpen => "A mandatory task is open.",
            Self::ReviewNotPublished => "High and critical incidents need a published review before closing.",
        }
    }
}

/// What is missing before this incident can be closed.
pub fn missing(incident: &Incident, around: &Surroundings) -> Vec<Requirement> {
    let needs_review = incident.kind == Kind::Real && incident.severity.is_high();
    let checks = [
        (Requirement::SeverityUndetermined, incident.severity == Severity::Undetermined),
        (Requirement::ResolutionSummaryMissing, incident.resolution_summary.is_none()),
        (Requirement::MandatoryTasksOpen, around.open_mandatory_tasks > 0),
        (Requirement::ReviewNotPublished, needs_review && !around.has_review),
    ];
    checks.into_iter().filter(|(_, is_missing)| *is_missing).map(|(requirement, _)| requirement).collect()
}

//! What closing an incident requires, and what a closed one keeps.

use super::status::Status;
use super::{Incident, Kind};
use crate::error::{Error, Result};
use crate::severity::Severity;
use crate::task::Task;

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
            Self::SeverityUndetermined => "Its severity is undetermined. Assess it first.",
            Self::ResolutionSummaryMissing => "It has no resolution summary.",
            Self::MandatoryTasksOpen => "A mandatory task is open.",
            Self::ReviewNotPublished => {
                "A real incident of high or critical severity needs a review that was published after the last reopening."
            }
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

/// Refuses a change that leaves a closed incident without something that it had.
pub(super) fn check_closed(before: &Incident, after: &Incident, around: &Surroundings) -> Result<()> {
    if before.status != Status::Closed {
        return Ok(());
    }
    let missed = missing(before, around);
    let mut newly = missing(after, around);
    newly.retain(|requirement| !missed.contains(requirement));
    if newly.is_empty() { Ok(()) } else { Err(Error::ClosedRequirements(newly)) }
}

/// Refuses a task that becomes both open and mandatory, if its incident is closed and was closed without such tasks.
pub fn check_task(incident: &Incident, before: Option<&Task>, after: &Task) -> Result<()> {
    let blocks = |task: &Task| task.mandatory && task.status.is_open();
    let requirement = Requirement::MandatoryTasksOpen;
    let is_closed = incident.status == Status::Closed && !incident.overridden.contains(&requirement);
    if is_closed && blocks(after) && !before.is_some_and(blocks) {
        return Err(Error::ClosedRequirements(vec![requirement]));
    }
    Ok(())
}

//! The approvals of a proposal, as they were given.

use jiff::Timestamp;
use macros::Body;

use super::approval_step::{ApprovalStep, NamedReplacement};
use super::day::Day;
use super::sha256::Sha256;
use crate::actor::Actor;
use crate::person::Person;
use crate::text::{Line, Prose};

/// An approval in the record of a proposal. It is never removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenApproval {
    /// The proposal.
    pub proposal: i64,
    /// Counts those of the proposal from 1.
    pub number: i64,
    /// The steps that it counts in, from 1.
    pub steps: Vec<i64>,
    /// Who approved, or recorded that others had decided.
    pub by: Actor,
    /// The job title that they had then.
    pub job_title: Option<Line>,
    /// The person for whom a deputy approved.
    pub on_behalf_of: Option<Person>,
    /// When.
    pub at: Timestamp,
    /// The SHA-256 of the approved text.
    pub sha256: String,
    /// A note to the record, as Markdown.
    pub note: Option<Prose>,
    /// Who decided, if the step was recorded.
    pub decided_by: Option<Line>,
    /// When they decided.
    pub decided_date: Option<Day>,
    /// The reference of their minutes.
    pub minutes: Option<Line>,
    /// Whether the text was changed since, or the proposal returned.
    pub is_void: bool,
}

/// The decision of people who do not sign in, such as a board: it completes the pending step.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "RecordedDecision")]
pub struct RecordedDecision {
    /// The SHA-256 of the text that was decided on.
    pub sha256: Sha256,
    /// Who decided.
    #[body(example = "The board")]
    pub decided_by: Line,
    /// On which day.
    pub decided_date: Day,
    /// The reference of the minutes.
    #[body(example = "Minutes 2026-03, item 4")]
    pub minutes: Line,
    /// A note to the record, as Markdown.
    #[body(example = "Unanimous.")]
    pub note: Option<Prose>,
}

crate::words! {
    "ApprovalStepState"
    /// What became of a step of a proposal.
    pub enum StepState {
        /// Enough people have approved in it, or their decision was recorded.
        Done = "done",
        /// It is the first that is not done.
        Pending = "pending",
        /// Steps before it are not done.
        Waiting = "waiting",
        /// It is not needed for this version.
        Skipped = "skipped",
    }
}

/// A step with what was approved in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepWithApprovals {
    /// The step.
    pub step: ApprovalStep,
    /// What became of it.
    pub state: StepState,
    /// Who approves in it in somebody's place.
    pub replacements: Vec<NamedReplacement>,
    /// The approvals of it, also those that do not count any more.
    pub approvals: Vec<GivenApproval>,
}

impl GivenApproval {
    /// Who decided: the approver, or those whose decision was recorded.
    pub fn decider(&self) -> &str {
        self.decided_by.as_ref().map_or(&*self.by.name, |who| who.as_str())
    }

    /// Who approved or recorded it, with the job title of that time.
    pub fn by_with_title(&self) -> String {
        self.job_title
            .as_ref()
            .map_or_else(|| self.by.name.clone(), |title| format!("{} ({title})", self.by.name))
    }

    /// Who decided, an approver with the job title of that time.
    pub fn decider_with_title(&self) -> String {
        self.decided_by.as_ref().map_or_else(|| self.by_with_title(), ToString::to_string)
    }

    /// Whether the same person approved, or the decision of the same people was recorded.
    pub fn is_by_same(&self, other: &Self) -> bool {
        self.decided_by == other.decided_by && (self.decided_by.is_some() || self.by.id == other.by.id)
    }

    /// The id of the person whom it counts as.
    pub(super) fn person(&self) -> String {
        self.on_behalf_of.as_ref().map_or_else(|| self.by.id.clone(), |person| person.id.to_string())
    }
}

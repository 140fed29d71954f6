//! What happened to incidents beside their dates.

use domain::incident::{ResolutionReason, Status};

use super::super::people::Who;
use super::super::when::When;

/// Something that was done with an incident.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct DemoStep {
    /// When.
    pub(in super::super) when: When,
    /// By whom.
    pub(in super::super) by: Who,
    /// What.
    pub(in super::super) what: Move,
}

/// What is done with an incident.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Move {
    /// It gets another status, for a reason.
    To(Status, &'static str),
    /// It is resolved, with a summary.
    Resolve(ResolutionReason, &'static str),
    /// It is closed although something is missing, for a reason.
    CloseAnyway(&'static str),
    /// The work waits, for a reason, until somebody goes on.
    Hold(&'static str),
}

/// A step.
pub(super) const fn step(when: When, by: Who, what: Move) -> DemoStep {
    DemoStep { when, by, what }
}

//! The life of an incident: which status may follow which. The only place of these rules; the table is that of
//! docs/incidents.md.

use super::status::Status::{self, Closed, Contained, Dismissed, Investigating, New, Resolved};

/// How one status follows another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The status before.
    pub from: Status,
    /// The status after.
    pub to: Status,
    /// Whether it is a step ahead or back.
    pub direction: Direction,
    /// What the step needs beside the status.
    pub needs: &'static [Need],
}

/// The direction of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards the end.
    Ahead,
    /// Back, because the harm grows again or the dismissal was a mistake. A spell keeps what stood.
    Back,
    /// Back from an end that was reached: a reopening.
    Reopening,
}

/// What a step needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A `resolution_reason` of the status.
    ResolutionReason,
    /// A `responded_date`, in the record or in the call.
    RespondedDate,
    /// A free-text `reason`.
    Reason,
    /// What closing requires, or an override: see [`super::Requirement`].
    Gate,
    /// That nobody has responded yet.
    NoResponse,
}

use Direction::{Ahead, Back, Reopening};
use Need::{Gate, NoResponse, Reason, ResolutionReason, RespondedDate};

/// Every step there is.
#[rustfmt::skip]
pub const STEPS: &[Step] = &[
    step(New,           Investigating, Ahead,     &[]),
    step(New,           Contained,     Ahead,     &[]),
    step(New,           Resolved,      Ahead,     &[ResolutionReason, RespondedDate]),
    step(New,           Dismissed,     Ahead,     &[ResolutionReason]),
    step(Investigating, Contained,     Ahead,     &[]),
    step(Investigating, Resolved,      Ahead,     &[ResolutionReason]),
    step(Investigating, Dismissed,     Ahead,     &[ResolutionReason]),
    step(Contained,     Investigating, Back,      &[]),
    step(Contained,     Resolved,      Ahead,     &[ResolutionReason]),
    step(Contained,     Dismissed,     Ahead,     &[ResolutionReason]),
    step(Resolved,      Investigating, Reopening, &[Reason]),
    step(Resolved,      Contained,     Reopening, &[Reason]),
    step(Resolved,      Closed,        Ahead,     &[Gate]),
    step(Closed,        Investigating, Reopening, &[Reason]),
    step(Dismissed,     New,           Back,      &[NoResponse]),
    step(Dismissed,     Investigating, Reopening, &[Reason]),
];

const fn step(from: Status, to: Status, direction: Direction, needs: &'static [Need]) -> Step {
    Step { from, to, direction, needs }
}

impl Step {
    /// The step from one status to another, if there is one.
    pub fn between(from: Status, to: Status) -> Option<&'static Self> {
        STEPS.iter().find(|step| step.from == from && step.to == to)
    }

    /// The step back from one status to another, also where only an import takes it; none if it does not go back.
    pub fn back(from: Status, to: Status) -> Option<Self> {
        let direction = match (from, to) {
            (Resolved | Closed | Dismissed, Investigating | Contained) => Reopening,
            (Resolved | Closed | Dismissed | Contained, New) | (Contained, Investigating) => Back,
            _ => return None,
        };
        Some(step(from, to, direction, &[]))
    }

    /// Whether the step needs this always.
    pub fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }

    /// Whether it is a reopening.
    pub fn is_reopening(&self) -> bool {
        self.direction == Reopening
    }

    /// Whether a spell keeps what stood before it.
    pub fn is_back(&self) -> bool {
        self.direction != Ahead
    }
}

/// The statuses that may follow `from`. `has_response` is whether the incident has a `responded_date`.
pub(super) fn allowed(from: Status, has_response: bool) -> Vec<Status> {
    let is_open = |step: &&Step| step.from == from && !(has_response && step.needs(NoResponse));
    STEPS.iter().filter(is_open).map(|step| step.to).collect()
}

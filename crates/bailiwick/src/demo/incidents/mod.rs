//! What happened at Harrowmere in the last 120 days.

mod operations;
mod security;

use jiff::{SignedDuration, Timestamp};

use super::people::Who;
use super::when::{When, at};

pub(super) use operations::OPERATIONS;
pub(super) use security::SECURITY;

/// An incident, and what became known about it later.
#[derive(Debug, Clone, Copy)]
pub(super) struct DemoIncident {
    /// As it was declared.
    pub(super) title: &'static str,
    /// Markdown.
    pub(super) description: &'static str,
    /// Where it was noticed.
    pub(super) source: &'static str,
    /// Who declared it.
    pub(super) opened_by: Who,
    /// The person assigned to it; none if it is unassigned.
    pub(super) assigned_to: Option<Who>,
    /// When it began, if that is known.
    pub(super) occurred: Option<When>,
    /// When it was noticed.
    pub(super) detected: When,
    /// When it came into the register, and so its place in the numbers. None: at once.
    pub(super) declared: Option<When>,
    /// When work on it began.
    pub(super) responded: Option<When>,
    /// When the harm no longer grew.
    pub(super) contained: Option<When>,
    /// The reason for its severity, written by the assignee.
    pub(super) severity_reasoning: Option<&'static str>,
    /// When it was put in the trash, by the operations lead.
    pub(super) deleted: Option<When>,
}

impl DemoIncident {
    /// When it comes into the register.
    pub(super) fn declared(&self) -> When {
        self.declared.unwrap_or(self.detected)
    }

    /// When its severity is explained: ten minutes after the last thing that is known about it.
    pub(super) fn judged_at(&self, now: Timestamp) -> Timestamp {
        let known = [Some(self.declared()), self.responded, self.contained];
        let last = known.into_iter().flatten().map(|when| when.before(now)).max();
        last.unwrap_or(now) + SignedDuration::from_mins(10)
    }
}

/// What an entry leaves out.
const BLANK: DemoIncident = DemoIncident {
    title: "",
    description: "",
    source: "",
    opened_by: Who::Priya,
    assigned_to: None,
    occurred: None,
    detected: at(0, 0, 0),
    declared: None,
    responded: None,
    contained: None,
    severity_reasoning: None,
    deleted: None,
};

/// All of them, in no particular order: sort by `declared`.
pub(super) fn all() -> impl Iterator<Item = &'static DemoIncident> {
    SECURITY.iter().chain(OPERATIONS)
}

//! What happened at Harrowmere in the last 120 days.

mod major;
mod operations;
mod outcome;
mod review;
mod security;
mod severity;
mod step;

use domain::incident::Kind;
use jiff::{SignedDuration, Timestamp};

use super::people::Who;
use super::when::{When, at};

pub(super) use operations::OPERATIONS;
pub(super) use outcome::Outcome;
use outcome::{closed, dismissed, duplicate, resolved};
pub(super) use review::DemoReview;
pub(super) use security::SECURITY;
pub(super) use severity::Judgement;
use severity::{Answered, stated};
use step::step;
pub(super) use step::{DemoEnd, DemoStep, DemoTask, Move};

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
    /// How severe its assignee found it.
    pub(super) severity: Option<Judgement>,
    /// What kind of event it is.
    pub(super) kind: Kind,
    /// Who sees it beside those who work on it; none if everybody does.
    pub(super) readers: &'static [Who],
    /// What happened to it beside its dates, in order.
    pub(super) steps: &'static [DemoStep],
    /// How it ended.
    pub(super) outcome: Outcome,
    /// When it was put in the trash, by the operations lead.
    pub(super) deleted: Option<When>,
}

impl DemoIncident {
    /// When it comes into the register.
    pub(super) fn declared(&self) -> When {
        self.declared.unwrap_or(self.detected)
    }

    /// Who works on it.
    pub(super) fn lead(&self) -> Who {
        self.assigned_to.unwrap_or(Who::Priya)
    }

    /// The moments at which more became known about it after it was declared, in order.
    pub(super) fn amended(&self, now: Timestamp) -> Vec<Timestamp> {
        let soon = self.declared().before(now) + SignedDuration::from_mins(2);
        let dates = [self.responded, self.contained].into_iter().flatten();
        let mut moments: Vec<Timestamp> = dates.map(|when| when.before(now).max(soon)).collect();
        moments.extend(self.severity.map(|_| self.judged_at(now)));
        moments.sort_unstable();
        moments.dedup();
        moments
    }

    /// When its severity is set: some minutes after the last of its dates.
    pub(super) fn judged_at(&self, now: Timestamp) -> Timestamp {
        let known = [Some(self.declared()), self.responded, self.contained];
        let last = known.into_iter().flatten().map(|when| when.before(now)).max();
        last.unwrap_or(now) + SignedDuration::from_mins(4)
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
    severity: None,
    kind: Kind::Real,
    readers: &[],
    steps: &[],
    outcome: Outcome::Open,
    deleted: None,
};

/// All of them, in no particular order: sort by `declared`.
pub(super) fn all() -> impl Iterator<Item = &'static DemoIncident> {
    SECURITY.iter().chain(OPERATIONS)
}

//! What happened to incidents beside their dates.

use domain::incident::{ResolutionReason, Status};
use domain::link::LinkKind;
use domain::note::NoteKind;
use domain::task::TaskStatus;

use super::super::people::Who;
use super::super::tags::Tag;
use super::super::when::When;
use super::review::DemoReview;

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
    /// It gets a tag.
    Tag(Tag),
    /// Something is written into its timeline.
    Note(NoteKind, &'static str),
    /// The same, to stand above all else.
    Pinned(NoteKind, &'static str),
    /// Somebody comments, and mentions others.
    Comment(&'static str, &'static [Who]),
    /// Something is to be done.
    Task(&'static DemoTask),
    /// The task with this number gets another status.
    TaskIs(i64, TaskStatus),
    /// It is linked to something.
    Link(LinkKind, DemoEnd),
    /// Its review is published.
    Review(&'static DemoReview),
}

/// What an incident is linked to.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum DemoEnd {
    /// The risk with this title.
    Risk(&'static str),
    /// The incident with this title.
    Incident(&'static str),
    /// A page of another system: address and title.
    Page(&'static str, &'static str),
}

/// Something that is to be done.
#[derive(Debug)]
pub(in super::super) struct DemoTask {
    /// One line.
    pub(in super::super) title: &'static str,
    /// Who does it.
    pub(in super::super) owner: Who,
    /// The hours until it is due.
    pub(in super::super) due_in: i64,
    /// Whether the incident is not closed before it is done.
    pub(in super::super) mandatory: bool,
}

/// A step.
pub(super) const fn step(when: When, by: Who, what: Move) -> DemoStep {
    DemoStep { when, by, what }
}

//! Tasks of an incident or of a risk: what is to be done, by whom and until when.

mod due;
mod order;
mod patch;
#[cfg(test)]
mod tests;
mod whole;

use std::ops::RangeInclusive;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use macros::{Body, Record};

pub use due::Due;
pub use order::moved;
pub use patch::TaskPatch;
pub use whole::TaskOf;

use crate::actor::Actor;
use crate::fault::Faults;
use crate::ids::UserId;
use crate::person::{self, Person};
use crate::text::{Line, ProseOrEmpty, Reason};

/// Where a task can stand among the tasks of its record.
pub const POSITIONS: RangeInclusive<i64> = 0..=1_000_000_000;

/// How far behind the last task a new one is put, so that others can be put between the two.
pub const POSITION_STEP: i64 = 1_000;

crate::words! {
    "TaskStatus"
    /// The status of a task. Each can follow every other one.
    pub enum TaskStatus {
        /// Not started.
        Open = "open",
        /// Being worked on.
        InProgress = "in_progress",
        /// It is done.
        Done = "done",
        /// Will not be done, for the reason in `reason`.
        NotDoing = "not_doing",
    }
}

impl TaskStatus {
    /// The statuses in which work is still to be done.
    pub const OPEN: [Self; 2] = [Self::Open, Self::InProgress];

    /// Whether work is still to be done.
    pub fn is_open(self) -> bool {
        Self::OPEN.contains(&self)
    }
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
pub struct Task {
    /// Counts the tasks of its record from 1, never reused.
    pub number: i64,
    /// One line.
    #[record(label = "Title", holds = Line, redacted, searched)]
    pub title: Line,
    /// Markdown.
    #[record(label = "Notes", holds = Prose, redacted, searched)]
    pub notes: Option<ProseOrEmpty>,
    /// Who does it.
    pub owner: Option<Person>,
    /// Until when.
    pub due: Option<Timestamp>,
    /// Whether the incident cannot be closed while it is open; false for a task of a risk.
    pub mandatory: bool,
    /// Its status.
    pub status: TaskStatus,
    /// Why it is not done.
    #[record(label = "Reason", holds = Reason, redacted, searched)]
    pub reason: Option<Reason>,
    /// Tasks of a record are listed by position, and by number where it is the same.
    pub position: i64,
    /// Who made it.
    pub created_by: Actor,
    /// When it was made.
    pub created_date: Timestamp,
    /// Since when it is done, if it is.
    pub done_date: Option<Timestamp>,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// When it was deleted, if it is.
    pub deleted_date: Option<Timestamp>,
    /// Counts its changes from 1.
    pub version: i64,
    /// The journal's number of the entry that made it.
    pub seq_from: i64,
    /// The journal's number of its latest change.
    pub seq: i64,
}

/// The members that only the service sets.
const READ_ONLY: &[&str] =
    &["number", "incident", "risk", "created_by", "created_date", "done_date", "updated_date", "version"];

/// The members that a change sets, and not the creation.
const SET_LATER: &[(&[&str], &str)] = &[(&["status", "reason"], "PATCH …/tasks/{number}")];

/// A task to create.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(read_only = READ_ONLY, elsewhere = SET_LATER)]
pub struct NewTask {
    /// One line, not blank.
    #[body(example = "Reset the passwords of the finance team")]
    pub title: Line,
    /// Markdown, at most 64 KiB.
    pub notes: Option<ProseOrEmpty>,
    /// The owner's id: a member of the organization.
    pub owner: Option<UserId>,
    /// Until when.
    pub due: Option<Timestamp>,
    /// Whether the incident cannot be closed while the task is open or in progress; false unless it is sent. A task of a risk
    /// is never mandatory.
    #[body(default)]
    pub mandatory: bool,
    /// Its position among the tasks of the same record; by default 1000 after the last one.
    #[body(range = POSITIONS)]
    pub position: Option<i64>,
}

impl Task {
    /// Whether its day has passed, in the time zone of the organization, while work is still to be done.
    pub fn is_overdue(&self, now: Timestamp, zone: &TimeZone) -> bool {
        let (_, before) = Due::Overdue.range(now, zone);
        self.status.is_open() && self.due.zip(before).is_some_and(|(due, before)| due < before)
    }
}

impl NewTask {
    /// Checks that `owner` is the member that the field names, and that a task of this record may be so.
    pub fn check(&self, of: TaskOf, owner: Option<Person>) -> crate::Result<Option<Person>> {
        let mut faults = Faults::new();
        let owner = person::member(self.owner, owner, "#/owner", &mut faults);
        of.check_mandatory(self.mandatory, &mut faults);
        faults.or(owner)
    }

    /// The task, made by `by` at `at`. `last` is the greatest position of the record's tasks. The journal's numbers are
    /// still 0.
    pub fn make(
        &self,
        number: i64,
        owner: Option<Person>,
        last: Option<i64>,
        by: Actor,
        at: Timestamp,
    ) -> Task {
        Task {
            number,
            title: self.title.clone(),
            notes: self.notes.clone(),
            owner,
            due: self.due,
            mandatory: self.mandatory,
            status: TaskStatus::Open,
            reason: None,
            position: self.position.unwrap_or_else(|| next_position(last)),
            created_by: by,
            created_date: at,
            done_date: None,
            updated_date: at,
            deleted_date: None,
            version: 1,
            seq_from: 0,
            seq: 0,
        }
    }
}

/// The position behind the last task.
fn next_position(last: Option<i64>) -> i64 {
    last.unwrap_or_default().saturating_add(POSITION_STEP).min(*POSITIONS.end())
}

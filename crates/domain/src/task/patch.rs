//! Changing a task by a merge patch (RFC 7396).

use jiff::Timestamp;
use macros::Body;

use super::{POSITIONS, READ_ONLY, Task, TaskOf, TaskStatus};
use crate::change::{Change, merge};
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::person::{self, Person};
use crate::text::{Line, ProseOrEmpty, Reason};

/// A merge patch (RFC 7396) of a task: absent members stay as they are, null clears.
#[derive(Debug, Clone, PartialEq, Eq, Default, Body)]
#[body(patch, read_only = READ_ONLY)]
pub struct TaskPatch {
    /// One line, not blank.
    pub title: Option<Line>,
    /// Markdown, at most 64 KiB.
    pub notes: Change<ProseOrEmpty>,
    /// The owner's id: a member of the organization.
    pub owner: Change<UserId>,
    /// Until when.
    pub due: Change<Timestamp>,
    /// Whether the incident cannot be closed while the task is open or in progress. A task of a risk is never mandatory.
    pub mandatory: Option<bool>,
    /// `not_doing` needs a `reason`; another status clears it.
    pub status: Option<TaskStatus>,
    /// Why it is not done; only with the status `not_doing`.
    pub reason: Change<Reason>,
    /// Its position among the tasks of the same record. To put it between two others, send a number between theirs.
    #[body(range = POSITIONS)]
    pub position: Option<i64>,
}

impl TaskPatch {
    /// The merged task of this record, changed at `at`, or `None` when nothing changes. `owner` is the member that the field
    /// names. A task that is not done needs a reason, and no other has one.
    pub fn apply(
        &self,
        of: TaskOf,
        before: &Task,
        owner: Option<Person>,
        at: Timestamp,
    ) -> crate::Result<Option<Task>> {
        let mut faults = Faults::new();
        let owner = person::changed(&self.owner, &before.owner, owner, "#/owner", &mut faults);
        let status = self.status.unwrap_or(before.status);
        let reason = self.merged_reason(before, status, &mut faults);
        let done_date = match status {
            TaskStatus::Done => before.done_date.or(Some(at)),
            TaskStatus::Open | TaskStatus::InProgress | TaskStatus::NotDoing => None,
        };
        let mut merged = Task { owner, status, reason, done_date, ..before.clone() };
        merge!(self into merged: title, notes, due, mandatory, position);
        of.check_mandatory(merged.mandatory, &mut faults);
        if faults.is_empty() && merged == *before {
            return Ok(None);
        }
        faults.or(Some(Task { updated_date: at, version: before.version + 1, ..merged }))
    }

    fn merged_reason(&self, before: &Task, status: TaskStatus, faults: &mut Faults) -> Option<Reason> {
        if status != TaskStatus::NotDoing {
            if self.reason.value().is_some() {
                let detail = format_args!("can only be set while the task is {}", TaskStatus::NotDoing);
                faults.add("#/reason", FaultCode::NotInStatus, detail);
            }
            return None;
        }
        let reason = self.reason.of(&before.reason);
        if reason.is_none() {
            faults.add("#/reason", FaultCode::Required, "A task that is not done needs a reason.");
        }
        reason
    }
}

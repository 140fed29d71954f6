//! Changing a task by a merge patch (RFC 7396).

use jiff::Timestamp;

use super::{Task, TaskStatus};
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::person::{self, Person};

/// A change of a task: `None` leaves a field, `Some(None)` clears it. Each text and the position have passed their check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are those of Task")]
pub struct TaskPatch {
    pub title: Option<String>,
    pub notes: Option<Option<String>>,
    pub owner: Option<Option<UserId>>,
    pub due: Option<Option<Timestamp>>,
    pub mandatory: Option<bool>,
    pub status: Option<TaskStatus>,
    pub reason: Option<Option<String>>,
    pub position: Option<i64>,
}

impl TaskPatch {
    /// The merged task, changed at `at`, or `None` when nothing changes. `owner` is the member that the field names. A
    /// task that is not done needs a reason, and no other has one.
    pub fn apply(&self, before: &Task, owner: Option<Person>, at: Timestamp) -> crate::Result<Option<Task>> {
        let mut faults = Faults::new();
        let owner = match self.owner {
            Some(sent) => person::member(sent, owner, "#/owner", &mut faults),
            None => before.owner.clone(),
        };
        let status = self.status.unwrap_or(before.status);
        let reason = self.merged_reason(before, status, &mut faults);
        let done_date = match status {
            TaskStatus::Done => before.done_date.or(Some(at)),
            TaskStatus::Open | TaskStatus::InProgress | TaskStatus::NotDoing => None,
        };
        let merged = Task {
            title: self.title.as_ref().unwrap_or(&before.title).clone(),
            notes: self.notes.as_ref().unwrap_or(&before.notes).clone(),
            owner,
            due: self.due.unwrap_or(before.due),
            mandatory: self.mandatory.unwrap_or(before.mandatory),
            status,
            reason,
            position: self.position.unwrap_or(before.position),
            done_date,
            ..before.clone()
        };
        if faults.is_empty() && merged == *before {
            return Ok(None);
        }
        faults.or(Some(Task { updated_date: at, version: before.version + 1, ..merged }))
    }

    fn merged_reason(&self, before: &Task, status: TaskStatus, faults: &mut Faults) -> Option<String> {
        let sent = self.reason.as_ref();
        if status != TaskStatus::NotDoing {
            if matches!(sent, Some(Some(_))) {
                let detail = format_args!("can only be set while the task is {}", TaskStatus::NotDoing);
                faults.add("#/reason", FaultCode::NotInStatus, detail);
            }
            return None;
        }
        let reason = sent.unwrap_or(&before.reason).clone();
        if reason.is_none() {
            faults.add("#/reason", FaultCode::Required, "A task that is not done needs a reason.");
        }
        reason
    }
}

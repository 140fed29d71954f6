//! What a closed incident keeps of what closing it required.

use super::Incident;
use super::requirement::{Requirement, Surroundings, missing};
use super::status::Status;
use crate::error::{Error, Result};
use crate::task::Task;

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

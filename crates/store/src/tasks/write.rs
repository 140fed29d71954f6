//! Making, changing and deleting tasks. The incident's version and dates stay.

use db::{Param, Tx};
use domain::incident::{self, Incident, Viewer};
use domain::task::{NewTask, Task, TaskPatch, moved};
use domain::{Author, ExpectedVersion, Faults, IncidentNumber, OrgId};
use jiff::Timestamp;
use macros::boxed;

use super::read::{self, TaskDetails};
use crate::ledger::error::{Result, faults_of, if_found};
use crate::ledger::view::{Deleted, View};
use crate::ledger::{journal, part, record, search};
use crate::{incidents, people};

/// Makes a task of an incident that the author sees.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    new: &NewTask,
) -> Result<TaskDetails> {
    let incident = seen(tx, organization, author, incident).await?;
    let owner = new.check(people::person(tx, organization, new.owner).await?)?;
    let number = part::next_number::<Task>(tx, organization, incident.number.number()).await?;
    let last = match new.position {
        None => last_position(tx, organization, incident.number).await?,
        Some(_) => None,
    };
    let task = new.make((incident.number, number), owner, last, author.actor.clone(), tx.at());
    incident::check_task(&incident, None, &task)?;
    let seq = append(tx, organization, author, "incident.task_created", None, &task).await?;
    let task = Task { seq_from: seq, seq, ..task };
    record::insert(tx, organization, &task).await?;
    Ok(TaskDetails { task, incident_title: incident.title })
}

/// Changes a task by a merge patch, if it has an `expected` version. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (incident, number): (IncidentNumber, i64),
    expected: &ExpectedVersion,
    patch: &TaskPatch,
) -> Result<TaskDetails> {
    let incident = seen(tx, organization, author, incident).await?;
    let before = read::find(tx, organization, &incident, number, Deleted::Without).await?;
    expected.check(before.version)?;
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    let task = match patch.apply(&before, owner, tx.at())? {
        Some(after) => {
            incident::check_task(&incident, Some(&before), &after)?;
            replace(tx, organization, author, "incident.task_updated", &before, after).await?
        }
        None => before,
    };
    Ok(TaskDetails { task, incident_title: incident.title })
}

/// Deletes a task, if it has an `expected` version. One that is deleted already is not found.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (incident, number): (IncidentNumber, i64),
    expected: &ExpectedVersion,
) -> Result<()> {
    let incident = seen(tx, organization, author, incident).await?;
    let before = read::find(tx, organization, &incident, number, Deleted::Without).await?;
    expected.check(before.version)?;
    let at = tx.at();
    let after =
        Task { deleted_date: Some(at), updated_date: at, version: before.version + 1, ..before.clone() };
    replace(tx, organization, author, "incident.task_deleted", &before, after).await?;
    Ok(())
}

/// Restores a deleted task, if it has an `expected` version. One that is not deleted is not found.
#[boxed]
pub async fn restore(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (incident, number): (IncidentNumber, i64),
    expected: &ExpectedVersion,
) -> Result<TaskDetails> {
    let incident = seen(tx, organization, author, incident).await?;
    let before = read::find(tx, organization, &incident, number, Deleted::Only).await?;
    expected.check(before.version)?;
    let at = tx.at();
    let after = Task { deleted_date: None, updated_date: at, version: before.version + 1, ..before.clone() };
    incident::check_task(&incident, None, &after)?;
    let task = replace(tx, organization, author, "incident.task_restored", &before, after).await?;
    Ok(TaskDetails { task, incident_title: incident.title })
}

/// Moves a task one place up or down among the first tasks of its incident, if it has an `expected` version. Returns whether
/// it moved: the first one has no place above it.
#[boxed]
pub async fn step(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (incident, number): (IncidentNumber, i64),
    expected: &ExpectedVersion,
    is_up: bool,
) -> Result<bool> {
    let incident = seen(tx, organization, author, incident).await?;
    let task = read::find(tx, organization, &incident, number, Deleted::Without).await?;
    expected.check(task.version)?;
    let tasks = read::first(tx, organization, incident.number).await?;
    let Some(from) = tasks.iter().position(|it| it.number == number) else { return Ok(false) };
    let to = if is_up { from.checked_sub(1) } else { from.checked_add(1) };
    let changes = to.map(|to| moved(&tasks, from, to)).unwrap_or_default();
    for (before, position) in changes.iter().filter_map(|(place, to)| Some((tasks.get(*place)?, *to))) {
        let (updated_date, version) = (tx.at(), before.version + 1);
        let after = Task { position, updated_date, version, ..before.clone() };
        replace(tx, organization, author, "incident.task_updated", before, after).await?;
    }
    Ok(!changes.is_empty())
}

/// What is wrong with a patch beside the task as it is at `now`; nothing if there is no such task. For a patch that is
/// refused anyway, so that all faults are reported at once.
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    (incident, number): (IncidentNumber, i64),
    patch: &TaskPatch,
    now: Timestamp,
) -> Result<Faults> {
    let Some(before) =
        if_found(read::get(tx, organization, viewer, incident, number, Deleted::Without).await)?
    else {
        return Ok(Faults::new());
    };
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    Ok(faults_of(patch.apply(&before.task, owner, now)))
}

async fn replace(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kind: &'static str,
    before: &Task,
    after: Task,
) -> Result<Task> {
    let seq = append(tx, organization, author, kind, Some(before), &after).await?;
    let after = Task { seq, ..after };
    record::replace(tx, organization, &after).await?;
    search::refresh_part(tx, organization, (after.incident, after.number), before, &after).await?;
    Ok(after)
}

async fn append(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kind: &'static str,
    before: Option<&Task>,
    after: &Task,
) -> Result<i64> {
    let subject = incidents::subject(after.incident);
    journal::append(tx, organization, author, kind, subject, part::changes(before, after)).await
}

/// The incident, if the author sees it.
async fn seen(tx: &mut Tx, organization: OrgId, author: &Author, number: IncidentNumber) -> Result<Incident> {
    incidents::get(tx, organization, &Viewer::of(author), number, View::now()).await
}

/// The greatest position of an incident's tasks.
async fn last_position(tx: &mut Tx, organization: OrgId, incident: IncidentNumber) -> Result<Option<i64>> {
    let sql = "SELECT MAX(position) FROM incident_task
               WHERE organization = $1 AND incident = $2 AND deleted_date IS NULL";
    let params: [&dyn Param; 2] = [&organization.uuid(), &incident.number()];
    let (last,): (Option<i64>,) = tx.query_one(sql, &params).await?;
    Ok(last)
}

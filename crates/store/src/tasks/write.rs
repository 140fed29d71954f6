//! Making, changing and deleting tasks. The version and the dates of the record stay.

use db::Tx;
use domain::incident::Viewer;
use domain::task::{NewTask, Task, TaskOf, TaskPatch, moved};
use domain::{Author, ExpectedVersion, Faults, OrgId};
use jiff::Timestamp;
use macros::boxed;

use super::read::{self, TaskDetails};
use super::rows;
use super::whole::Whole;
use crate::ledger::error::{Result, faults_of, if_found};
use crate::ledger::view::Deleted;
use crate::people;

/// Makes a task of a record that the author sees.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    of: TaskOf,
    new: &NewTask,
) -> Result<TaskDetails> {
    let whole = seen(tx, organization, author, of).await?;
    let owner = new.check(of, people::person(tx, organization, new.owner).await?)?;
    let number = rows::next_number(tx, organization, of).await?;
    let last = match new.position {
        None => rows::last_position(tx, organization, of).await?,
        Some(_) => None,
    };
    let task = new.make(number, owner, last, author.actor.clone(), tx.at());
    whole.check(None, &task)?;
    let task = rows::insert(tx, organization, author, of, task).await?;
    Ok(TaskDetails { of, title: whole.into_title(), task })
}

/// Changes a task by a merge patch, if it has an `expected` version. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (of, number): (TaskOf, i64),
    expected: &ExpectedVersion,
    patch: &TaskPatch,
) -> Result<TaskDetails> {
    let whole = seen(tx, organization, author, of).await?;
    let before = read::find(tx, organization, (of, number), Deleted::Without).await?;
    expected.check(before.version)?;
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    let task = match patch.apply(of, &before, owner, tx.at())? {
        Some(after) => {
            whole.check(Some(&before), &after)?;
            rows::replace(tx, organization, author, (of, |kinds| kinds.updated), (before, after)).await?
        }
        None => before,
    };
    Ok(TaskDetails { of, title: whole.into_title(), task })
}

/// Deletes a task, if it has an `expected` version. One that is deleted already is not found.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (of, number): (TaskOf, i64),
    expected: &ExpectedVersion,
) -> Result<()> {
    seen(tx, organization, author, of).await?;
    let before = read::find(tx, organization, (of, number), Deleted::Without).await?;
    expected.check(before.version)?;
    let at = tx.at();
    let after =
        Task { deleted_date: Some(at), updated_date: at, version: before.version + 1, ..before.clone() };
    rows::replace(tx, organization, author, (of, |kinds| kinds.deleted), (before, after)).await.map(drop)
}

/// Restores a deleted task, if it has an `expected` version. One that is not deleted is not found.
#[boxed]
pub async fn restore(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (of, number): (TaskOf, i64),
    expected: &ExpectedVersion,
) -> Result<TaskDetails> {
    let whole = seen(tx, organization, author, of).await?;
    let before = read::find(tx, organization, (of, number), Deleted::Only).await?;
    expected.check(before.version)?;
    let at = tx.at();
    let after = Task { deleted_date: None, updated_date: at, version: before.version + 1, ..before.clone() };
    whole.check(None, &after)?;
    let task = rows::replace(tx, organization, author, (of, |kinds| kinds.restored), (before, after)).await?;
    Ok(TaskDetails { of, title: whole.into_title(), task })
}

/// Moves a task one place up or down among the first tasks of its record, if it has an `expected` version. Returns whether
/// it moved: the first one has no place above it.
#[boxed]
pub async fn step(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (of, number): (TaskOf, i64),
    expected: &ExpectedVersion,
    is_up: bool,
) -> Result<bool> {
    seen(tx, organization, author, of).await?;
    let task = read::find(tx, organization, (of, number), Deleted::Without).await?;
    expected.check(task.version)?;
    let tasks = read::first(tx, organization, of).await?;
    let Some(from) = tasks.iter().position(|it| it.number == number) else { return Ok(false) };
    let to = if is_up { from.checked_sub(1) } else { from.checked_add(1) };
    let changes = to.map(|to| moved(&tasks, from, to)).unwrap_or_default();
    for (before, position) in changes.iter().filter_map(|(place, to)| Some((tasks.get(*place)?, *to))) {
        let (updated_date, version) = (tx.at(), before.version + 1);
        let after = Task { position, updated_date, version, ..before.clone() };
        let both = (before.clone(), after);
        rows::replace(tx, organization, author, (of, |kinds| kinds.updated), both).await?;
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
    id: (TaskOf, i64),
    patch: &TaskPatch,
    now: Timestamp,
) -> Result<Faults> {
    let Some(before) = if_found(read::get(tx, organization, viewer, id, Deleted::Without).await)? else {
        return Ok(Faults::new());
    };
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    Ok(faults_of(patch.apply(before.of, &before.task, owner, now)))
}

/// The record, if the author sees it.
async fn seen(tx: &mut Tx, organization: OrgId, author: &Author, of: TaskOf) -> Result<Whole> {
    Whole::seen(tx, organization, &Viewer::of(author), of).await
}

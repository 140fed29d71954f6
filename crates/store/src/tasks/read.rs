//! Reading the tasks of one record.

use db::{Param, Tx};
use domain::incident::Viewer;
use domain::task::{Task, TaskOf};
use domain::{Error, Line, OrgId, ResourceKind};
use macros::boxed;

use super::rows;
use super::whole::Whole;
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::page::Page;
use crate::ledger::view::Deleted;

/// A task with what is shown of the record that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDetails {
    /// The record.
    pub of: TaskOf,
    /// The title of the record.
    pub title: Line,
    /// The task.
    pub task: Task,
}

/// So many tasks of a record can be moved up and down; further ones have a position only.
const MOST_ORDERED: i64 = 200;

/// One task of a record that the caller sees.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    (of, number): (TaskOf, i64),
    deleted: Deleted,
) -> Result<TaskDetails> {
    let whole = Whole::seen(tx, organization, viewer, of).await?;
    let task = find(tx, organization, (of, number), deleted).await?;
    Ok(TaskDetails { of, title: whole.into_title(), task })
}

/// One task of a record that was read in this transaction.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    (of, number): (TaskOf, i64),
    deleted: Deleted,
) -> Result<Task> {
    let found = rows::find(tx, organization, of, number).await?;
    let found = found.filter(|task| deleted.sees(task.deleted_date));
    Ok(found.ok_or(Error::NotFound(ResourceKind::Task))?)
}

/// The first tasks of a record, by position and number.
pub(super) async fn first(tx: &mut Tx, organization: OrgId, of: TaskOf) -> Result<Vec<Task>> {
    Ok(rows::page(tx, organization, of, None, MOST_ORDERED).await?.rows)
}

/// Up to `limit` tasks of a record that the caller sees, by position and number: those after the task with this position
/// and number.
#[boxed]
pub async fn list_of(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    of: TaskOf,
    after: Option<(i64, i64)>,
    limit: i64,
) -> Result<Page<TaskDetails>> {
    let title = Whole::seen(tx, organization, viewer, of).await?.into_title();
    let page = rows::page(tx, organization, of, after, limit).await?;
    Ok(page.map(|task| TaskDetails { of, title: title.clone(), task }))
}

/// How many tasks a record has, also those that the caller does not see.
#[boxed]
pub async fn count_of(tx: &mut Tx, organization: OrgId, of: TaskOf) -> Result<i64> {
    rows::count(tx, organization, of).await
}

/// How many tasks a record has, and how many of them are done or will not be, whether the caller sees it or not.
#[boxed]
pub async fn progress_of(tx: &mut Tx, organization: OrgId, of: TaskOf) -> Result<(i64, i64)> {
    rows::progress(tx, organization, of).await
}

/// Those of these incidents that have an open mandatory task.
pub(crate) async fn with_open_mandatory(
    tx: &mut Tx,
    organization: OrgId,
    incidents: &[i64],
) -> Result<Vec<i64>> {
    let sql = format!(
        "SELECT (SELECT MIN(task.incident) FROM incident_task AS task
                 WHERE task.organization = $1 AND task.incident = wanted.number AND task.mandatory
                   AND task.deleted_date IS NULL AND task.status IN ('open', 'in_progress'))
         FROM {}",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(incidents.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<(Option<i64>,)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().filter_map(|(number,)| number).collect())
}

//! Reading and writing the rows of tasks, in the table of the record that they belong to.

use db::{Param, Tx};
use domain::task::{Task, TaskOf};
use domain::{Author, IncidentNumber, OrgId, RiskNumber};

use super::row::{Kinds, TaskKey, TaskRow};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored};
use crate::ledger::view::View;
use crate::ledger::{journal, part, search};

/// The order of the tasks of a record.
const ORDER: &[&str] = &["position", "number"];

/// Does the same with either kind of number, whose type is called as the macro is told.
macro_rules! of_either {
    ($of:expr, |$key:ident: $type:ident| $done:expr) => {
        match $of {
            TaskOf::Incident($key) => {
                type $type = IncidentNumber;
                $done
            }
            TaskOf::Risk($key) => {
                type $type = RiskNumber;
                $done
            }
        }
    };
}

/// One task, deleted ones too.
pub(super) async fn find(tx: &mut Tx, organization: OrgId, of: TaskOf, number: i64) -> Result<Option<Task>> {
    of_either!(of, |of: K| {
        let key = [of.number().into(), number.into()];
        let found: Option<TaskRow<K>> = record::find(tx, organization, &key).await?;
        Ok(found.map(|row| row.task))
    })
}

/// Up to `limit` tasks by position and number: those after the task with this position and number.
pub(super) async fn page(
    tx: &mut Tx,
    organization: OrgId,
    of: TaskOf,
    after: Option<(i64, i64)>,
    limit: i64,
) -> Result<Page<Task>> {
    let after = after.map(|(position, number)| [position.into(), number.into()]).into_iter().flatten();
    of_either!(of, |of: K| {
        let select = all(organization, of).order(ORDER, Direction::Ascending, after);
        Ok(select.page(tx, limit).await?.map(|Stored(TaskRow::<K> { task, .. })| task))
    })
}

/// How many there are.
pub(super) async fn count(tx: &mut Tx, organization: OrgId, of: TaskOf) -> Result<i64> {
    of_either!(of, |of: K| all::<K>(organization, of).count(tx).await)
}

/// How many there are, and how many of them are done or will not be.
pub(super) async fn progress(tx: &mut Tx, organization: OrgId, of: TaskOf) -> Result<(i64, i64)> {
    of_either!(of, |of: K| {
        let (table, column) = (K::TABLE, K::COLUMN);
        let sql = format!(
            "SELECT COUNT(*), COUNT(CASE WHEN status NOT IN ('open', 'in_progress') THEN 1 END) FROM {table}
             WHERE organization = $1 AND {column} = $2 AND deleted_date IS NULL"
        );
        let params: [&dyn Param; 2] = [&organization.uuid(), &of.number()];
        let counts: (i64, i64) = tx.query_one(&sql, &params).await?;
        Ok(counts)
    })
}

/// The number of the next task, which no task had before.
pub(super) async fn next_number(tx: &mut Tx, organization: OrgId, of: TaskOf) -> Result<i64> {
    of_either!(of, |of: K| part::next_number::<TaskRow<K>>(tx, organization, of.number()).await)
}

/// The greatest position of the tasks of a record.
pub(super) async fn last_position(tx: &mut Tx, organization: OrgId, of: TaskOf) -> Result<Option<i64>> {
    of_either!(of, |of: K| {
        let (table, column) = (K::TABLE, K::COLUMN);
        let sql = format!(
            "SELECT MAX(position) FROM {table}
             WHERE organization = $1 AND {column} = $2 AND deleted_date IS NULL"
        );
        let params: [&dyn Param; 2] = [&organization.uuid(), &of.number()];
        let (last,): (Option<i64>,) = tx.query_one(&sql, &params).await?;
        Ok(last)
    })
}

/// Inserts a task with the entry that tells of it.
pub(super) async fn insert(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    of: TaskOf,
    task: Task,
) -> Result<Task> {
    of_either!(of, |of: K| {
        let mut row = TaskRow { of, task };
        let changes = part::changes(None, &row);
        let kind = K::KINDS.created;
        let seq = journal::append(tx, organization, author, kind, of.subject(), changes).await?;
        (row.task.seq_from, row.task.seq) = (seq, seq);
        record::insert(tx, organization, &row).await?;
        Ok(row.task)
    })
}

/// Replaces a task, with an entry of the kind that is chosen.
pub(super) async fn replace(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (of, kind): (TaskOf, fn(&Kinds) -> &'static str),
    (before, after): (Task, Task),
) -> Result<Task> {
    of_either!(of, |of: K| {
        let (before, mut after) = (TaskRow { of, task: before }, TaskRow { of, task: after });
        let changes = part::changes(Some(&before), &after);
        let kind = kind(&K::KINDS);
        after.task.seq = journal::append(tx, organization, author, kind, of.subject(), changes).await?;
        record::replace(tx, organization, &after).await?;
        if let Some(incident) = of.whole().incident() {
            let id = (incident, after.task.number);
            search::refresh_part(tx, organization, id, &before, &after).await?;
        }
        Ok(after.task)
    })
}

/// The tasks of a record that are not deleted.
fn all<'q, K: TaskKey>(organization: OrgId, of: K) -> Select<'q, TaskRow<K>> {
    Select::of(organization, View::now()).filter(Filter::is(K::COLUMN, of.number().into()))
}

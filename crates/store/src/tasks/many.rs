//! Tasks of many records that are made in one write. The number of statements does not grow with them.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::{Param, Tx};
use domain::task::NewTask;
use domain::{Author, OrgId};

use super::row::{TaskKey, TaskRow};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::{part, record};

/// The titles of the tasks of each of these records, deleted ones too.
pub(crate) async fn titles<K: TaskKey>(
    tx: &mut Tx,
    organization: OrgId,
    records: &BTreeSet<i64>,
) -> Result<HashMap<K, HashSet<String>>> {
    let (table, column) = (K::TABLE, K::COLUMN);
    let sql = format!(
        "SELECT task.{column}, task.title FROM {table} AS task
         WHERE task.organization = $1 AND task.{column} IN (SELECT wanted.number FROM {})",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(records.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let mut titles: HashMap<K, HashSet<String>> = HashMap::new();
    for (record, title) in tx.query::<(i64, String)>(&sql, &params).await? {
        titles.entry(K::of(record)).or_default().insert(title);
    }
    Ok(titles)
}

/// Makes tasks of records that are there, behind those that these have.
pub(crate) async fn create_all<K: TaskKey>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &[(K, &NewTask)],
) -> Result<()> {
    if new.is_empty() {
        return Ok(());
    }
    let mut last = last(tx, organization, new.iter().map(|(record, _)| record.number()).collect()).await?;
    let mut made: Vec<TaskRow<K>> = Vec::with_capacity(new.len());
    for (of, new) in new {
        let (number, position) = last.entry(*of).or_default();
        let task = new.make(*number + 1, None, *position, author.actor.clone(), tx.at());
        (*number, *position) = (task.number, Some(task.position));
        made.push(TaskRow { of: *of, task });
    }
    let entry = |row: &TaskRow<K>| New {
        kind: K::KINDS.created,
        subject: row.of.subject(),
        payload: part::changes(None, row),
    };
    let first = tx.head(organization)?.seq + 1;
    journal::append_all(tx, organization, author, made.iter().map(entry).collect()).await?;
    for (row, seq) in made.iter_mut().zip(first..) {
        (row.task.seq_from, row.task.seq) = (seq, seq);
    }
    record::insert_all(tx, organization, &made).await
}

/// The greatest number of the tasks of each of these records, deleted ones too, and the greatest position of the others.
async fn last<K: TaskKey>(
    tx: &mut Tx,
    organization: OrgId,
    records: BTreeSet<i64>,
) -> Result<HashMap<K, (i64, Option<i64>)>> {
    let (table, column) = (K::TABLE, K::COLUMN);
    let sql = format!(
        "SELECT task.{column}, MAX(task.number), MAX(CASE WHEN task.deleted_date IS NULL THEN task.position END)
         FROM {table} AS task
         WHERE task.organization = $1 AND task.{column} IN (SELECT wanted.number FROM {}) GROUP BY task.{column}",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(records);
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<(i64, i64, Option<i64>)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|(record, number, position)| (K::of(record), (number, position))).collect())
}

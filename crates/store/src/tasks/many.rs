//! Tasks of many risks that are made in one write. The number of statements does not grow with them.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::{Param, Tx};
use domain::task::NewTask;
use domain::{Author, OrgId, RiskNumber};

use super::row::{TaskKey as _, TaskRow};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::{part, record};

/// The titles of the tasks of each of these risks, deleted ones too.
pub(crate) async fn titles(
    tx: &mut Tx,
    organization: OrgId,
    risks: &BTreeSet<i64>,
) -> Result<HashMap<RiskNumber, HashSet<String>>> {
    let sql = format!(
        "SELECT task.risk, task.title FROM risk_task AS task
         WHERE task.organization = $1 AND task.risk IN (SELECT wanted.number FROM {})",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(risks.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let mut titles: HashMap<RiskNumber, HashSet<String>> = HashMap::new();
    for (risk, title) in tx.query::<(i64, String)>(&sql, &params).await? {
        titles.entry(RiskNumber(risk)).or_default().insert(title);
    }
    Ok(titles)
}

/// Makes tasks of risks that are there, behind those that these have.
pub(crate) async fn create_all(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &[(RiskNumber, &NewTask)],
) -> Result<()> {
    if new.is_empty() {
        return Ok(());
    }
    let mut last = last(tx, organization, new.iter().map(|(risk, _)| risk.number()).collect()).await?;
    let mut made: Vec<TaskRow<RiskNumber>> = Vec::with_capacity(new.len());
    for (of, new) in new {
        let (number, position) = last.entry(*of).or_default();
        let task = new.make(*number + 1, None, *position, author.actor.clone(), tx.at());
        (*number, *position) = (task.number, Some(task.position));
        made.push(TaskRow { of: *of, task });
    }
    let entry = |row: &TaskRow<RiskNumber>| New {
        kind: RiskNumber::KINDS.created,
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

/// The greatest number of the tasks of each of these risks, deleted ones too, and the greatest position of the others.
async fn last(
    tx: &mut Tx,
    organization: OrgId,
    risks: BTreeSet<i64>,
) -> Result<HashMap<RiskNumber, (i64, Option<i64>)>> {
    let sql = format!(
        "SELECT task.risk, MAX(task.number), MAX(CASE WHEN task.deleted_date IS NULL THEN task.position END)
         FROM risk_task AS task
         WHERE task.organization = $1 AND task.risk IN (SELECT wanted.number FROM {}) GROUP BY task.risk",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(risks);
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<(i64, i64, Option<i64>)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|(risk, number, position)| (RiskNumber(risk), (number, position))).collect())
}

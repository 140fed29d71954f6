//! The originals of duplicates.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::OrgId;

use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;

/// These incidents and all that stand for them in turn, each with its original, as far as they are there. Deleted ones are.
pub(crate) async fn chains(
    tx: &mut Tx,
    organization: OrgId,
    numbers: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Option<i64>>> {
    // Subqueries, because PostgreSQL would join all incidents: each is looked up.
    let sql = format!(
        "WITH RECURSIVE chain (number) AS (
             SELECT wanted.number FROM {}
             UNION
             SELECT (SELECT r.duplicate_of FROM incident AS r
                     WHERE r.organization = $1 AND r.number = chain.number)
             FROM chain WHERE chain.number IS NOT NULL
         )
         SELECT (SELECT r.number FROM incident AS r WHERE r.organization = $1 AND r.number = chain.number),
                (SELECT r.duplicate_of FROM incident AS r WHERE r.organization = $1 AND r.number = chain.number)
         FROM chain",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers);
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<(Option<i64>, Option<i64>)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().filter_map(|(number, original)| Some((number?, original))).collect())
}

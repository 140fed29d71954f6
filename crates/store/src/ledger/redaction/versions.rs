//! New versions of the parts of a record whose present text was redacted.

use db::{Param, Tx};
use domain::OrgId;

use super::rows::Found;
use super::tables::{Table, When};
use crate::ledger::error::Result;

/// A part that gets a new version.
pub(crate) struct Part {
    table: &'static Table,
    number: i64,
    latest: &'static str,
}

impl Part {
    /// As entries name it, such as `notes/3`.
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.table.prefix, self.number)
    }
}

/// The parts among these rows that have a version. Of editions this is the latest one: they share their version, and only
/// the latest one is changed.
pub(crate) async fn parts(tx: &mut Tx, organization: OrgId, whole: i64, rows: &[Found]) -> Result<Vec<Part>> {
    let present = rows.iter().filter(|row| row.when == When::Now);
    let mut parts: Vec<Part> = present
        .filter_map(|&Found { table, number, .. }| Some(Part { table, number, latest: table.latest? }))
        .collect();
    if let Some(Part { table, .. }) = parts.iter().find(|part| part.table.is_edition) {
        let sql = format!(
            "SELECT MAX({}) FROM {} WHERE organization = $1 AND {} = $2",
            table.number, table.name, table.whole
        );
        let (edition,): (Option<i64>,) = tx.query_one(&sql, &[&organization.uuid(), &whole]).await?;
        parts.retain(|part| !part.table.is_edition || edition == Some(part.number));
    }
    Ok(parts)
}

/// Makes the stored row of each part its next version, which begins with the entry `seq`.
pub(crate) async fn begin(
    tx: &mut Tx,
    organization: OrgId,
    whole: i64,
    parts: &[Part],
    seq: i64,
) -> Result<()> {
    for Part { table, number, latest } in parts {
        if let Some(statements) = table.history {
            let params: [&dyn Param; 4] = [&organization.uuid(), number, &whole, &seq];
            tx.send(&statements().keep_history, &params).await?;
        }
        let sql = format!(
            "UPDATE {} SET version = version + 1, updated_date = $4, {latest} = $5
             WHERE organization = $1 AND {} = $2 AND {} = $3",
            table.name, table.whole, table.number
        );
        let at = tx.at();
        let params: [&dyn Param; 5] = [&organization.uuid(), &whole, number, &at, &seq];
        tx.send(&sql, &params).await?;
    }
    Ok(())
}

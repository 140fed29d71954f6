//! Erasing the payloads of entries, but not the entries (docs/journal.md).

use db::{Param, Tx};
use domain::OrgId;

use crate::ledger::error::Result;
use crate::ledger::journal::Subject;

/// Blanks payload and salt of every entry about these records. The hash of the two stays, so the chain
/// verifies as before.
pub(crate) async fn erase(tx: &mut Tx, organization: OrgId, subjects: &[Subject]) -> Result<()> {
    let sql = "UPDATE journal_entry SET payload = NULL, salt = NULL
               WHERE organization = $1 AND subject_kind = $2 AND subject_id = $3";
    let organization = organization.uuid();
    let rows: Vec<[&dyn Param; 3]> = subjects
        .iter()
        .map(|subject| -> [&dyn Param; 3] { [&organization, &subject.kind, &subject.id] })
        .collect();
    tx.execute_many(sql, &rows).await?;
    Ok(())
}

/// The same for the entries with these numbers.
pub(crate) async fn erase_entries(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<()> {
    let sql = "UPDATE journal_entry SET payload = NULL, salt = NULL WHERE organization = $1 AND seq = $2";
    let organization = organization.uuid();
    let rows: Vec<[&dyn Param; 2]> =
        numbers.iter().map(|seq| -> [&dyn Param; 2] { [&organization, seq] }).collect();
    if !rows.is_empty() {
        tx.execute_many(sql, &rows).await?;
    }
    Ok(())
}

//! What becomes of the rows of an import.

use db::Tx;
use domain::import::{ImportRow, RowOutcome};
use domain::{ImportId, OrgId};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
use crate::ledger::view::View;

/// Up to `limit` rows with one of these outcomes, or with any, in the order of the file: those after a place.
#[boxed]
pub async fn list_rows(
    tx: &mut Tx,
    organization: OrgId,
    import: ImportId,
    outcomes: &[RowOutcome],
    after: Option<i64>,
    limit: i64,
) -> Result<Page<ImportRow>> {
    let after = after.map(db::Value::Integer);
    let select = of(organization, import, outcomes).order(&["place"], Direction::Ascending, after);
    Ok(select.page(tx, limit).await?.map(|Stored(row)| row))
}

/// How many they are.
#[boxed]
pub async fn count_rows(
    tx: &mut Tx,
    organization: OrgId,
    import: ImportId,
    outcomes: &[RowOutcome],
) -> Result<i64> {
    of(organization, import, outcomes).count(tx).await
}

fn of<'q>(organization: OrgId, import: ImportId, outcomes: &[RowOutcome]) -> Select<'q, ImportRow> {
    Select::of(organization, View::with_deleted())
        .filter(Filter::is("import", import.uuid().into()))
        .filters(Filter::words("outcome", outcomes))
}

/// Forgets what became of the rows from a place on, or would; how many they were.
pub(super) async fn delete_from(
    tx: &mut Tx,
    organization: OrgId,
    import: ImportId,
    place: i64,
) -> Result<i64> {
    let sql = "DELETE FROM import_row WHERE organization = $1 AND import = $2 AND place >= $3";
    let deleted = tx.execute(sql, &[&organization.uuid(), &import.uuid(), &place]).await?;
    Ok(i64::try_from(deleted).unwrap_or(i64::MAX))
}

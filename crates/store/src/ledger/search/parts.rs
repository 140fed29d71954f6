//! The parts of records: those that the index has, and those that there are now.

use std::collections::BTreeSet;

use db::{Param, Tx};
use domain::OrgId;
use domain::search::SearchKind;

use super::documents;
use super::tables::of_each;
use super::unit::Unit;
use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;

/// The parts that the index has of these records.
pub(crate) async fn stored_parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeSet<Unit>> {
    let sql = format!(
        "SELECT p.number, p.part FROM search_part AS p
         WHERE p.organization = $1 AND p.noun = $3 AND {}",
        among(tx.engine(), "p.number", "$2")
    );
    units(tx, &sql, organization, kind, numbers).await
}

/// The parts that these records have now: those of `tables.rs` or `documents.rs`.
pub(crate) async fn present_parts(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeSet<Unit>> {
    match kind {
        SearchKind::Incident => {
            let engine = tx.engine();
            let sql = of_each(|table| {
                format!(
                    "SELECT r.incident, {} FROM {} AS r
                     WHERE r.organization = $1 AND {} AND {} AND $3 = 'incident'",
                    table.part(),
                    table.name,
                    among(engine, "r.incident", "$2"),
                    table.is_there()
                )
            });
            units(tx, &sql, organization, kind, numbers).await
        }
        SearchKind::Risk => Ok(BTreeSet::new()),
        SearchKind::Document => documents::units(tx, organization, numbers).await,
    }
}

async fn units(
    tx: &mut Tx,
    sql: &str,
    organization: OrgId,
    kind: SearchKind,
    numbers: &[i64],
) -> Result<BTreeSet<Unit>> {
    let numbers = among_parameter(tx.engine(), numbers.iter().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &kind.as_str()];
    let rows: Vec<(i64, i64)> = tx.query(sql, &params).await?;
    Ok(rows.into_iter().map(|(number, part)| Unit { number, part }).collect())
}

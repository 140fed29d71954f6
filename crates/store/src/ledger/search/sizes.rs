//! How long texts are, without reading them.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Tx};
use domain::OrgId;
use domain::search::SearchKind;

use super::tables::{self, of_each};
use super::texts::rest;
use super::unit::Unit;
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;

/// The parts whose latest entry is one after the first of these two and not after the second: by that entry, with their bytes.
pub(super) async fn parts(
    tx: &mut Tx,
    organization: OrgId,
    (after, last): (i64, i64),
) -> Result<BTreeMap<i64, Vec<(Unit, i64)>>> {
    let sql = of_each(|table| {
        let latest = table.latest();
        format!(
            "SELECT {latest}, r.incident, {}, {} FROM {} AS r
             WHERE r.organization = $1 AND {latest} > $2 AND {latest} <= $3",
            table.part(),
            table.bytes(),
            table.name
        )
    });
    let rows: Vec<(i64, i64, i64, i64)> = tx.query(&sql, &[&organization.uuid(), &after, &last]).await?;
    let mut found: BTreeMap<i64, Vec<(Unit, i64)>> = BTreeMap::new();
    for (seq, number, part, bytes) in rows {
        found.entry(seq).or_default().push((Unit { number, part }, bytes));
    }
    Ok(found)
}

/// The bytes of these records' own texts.
pub(super) async fn own(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    numbers: BTreeSet<i64>,
) -> Result<BTreeMap<i64, i64>> {
    if numbers.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rest = rest(kind);
    let columns = ["title", "description"].into_iter().chain(rest.iter().map(|(name, _)| *name));
    let sql = format!(
        "SELECT r.number, {}
         FROM {} CROSS JOIN {} AS r WHERE r.organization = $1 AND r.number = wanted.number",
        tables::bytes(columns),
        wanted_numbers(tx.engine()),
        kind.as_str()
    );
    let rows: Vec<(i64, i64)> = tx.query(&sql, &[&organization.uuid(), &numbers_parameter(numbers)]).await?;
    Ok(rows.into_iter().collect())
}

/// The parts of these incidents that have not changed after an entry.
pub(super) async fn parts_before(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
    seq: i64,
) -> Result<BTreeSet<Unit>> {
    let engine = tx.engine();
    let sql = of_each(|table| {
        format!(
            "SELECT r.incident, {} FROM {} CROSS JOIN {} AS r
             WHERE r.organization = $1 AND r.incident = wanted.number AND {} AND {} <= $3",
            table.part(),
            wanted_numbers(engine),
            table.name,
            table.is_there(),
            table.latest()
        )
    });
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &seq];
    let rows: Vec<(i64, i64)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|(number, part)| Unit { number, part }).collect())
}

//! How long texts are, without reading them.

use std::collections::{BTreeMap, BTreeSet};

use db::{Param, Tx};
use domain::OrgId;
use domain::search::SearchKind;

use super::texts::rest;
use super::unit::Unit;
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;

/// The notes whose latest entry is one after the first of these two and not after the second: by that entry, with their bytes.
pub(super) async fn notes(
    tx: &mut Tx,
    organization: OrgId,
    (after, last): (i64, i64),
) -> Result<BTreeMap<i64, Vec<(Unit, i64)>>> {
    let sql = "SELECT seq_from, incident, number, CAST(octet_length(text) AS BIGINT) FROM incident_note
        WHERE organization = $1 AND seq_from > $2 AND seq_from <= $3";
    let rows: Vec<(i64, i64, i64, i64)> = tx.query(sql, &[&organization.uuid(), &after, &last]).await?;
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
    let lengths: Vec<String> = ["title", "description"]
        .into_iter()
        .chain(rest(kind))
        .map(|column| format!("COALESCE(octet_length(r.{column}), 0)"))
        .collect();
    let sql = format!(
        "SELECT r.number, CAST({} AS BIGINT)
         FROM {} CROSS JOIN {} AS r WHERE r.organization = $1 AND r.number = wanted.number",
        lengths.join(" + "),
        wanted_numbers(tx.engine()),
        kind.as_str()
    );
    let rows: Vec<(i64, i64)> = tx.query(&sql, &[&organization.uuid(), &numbers_parameter(numbers)]).await?;
    Ok(rows.into_iter().collect())
}

/// The notes of these incidents that are not deleted and have not changed after an entry.
pub(super) async fn notes_before(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
    seq: i64,
) -> Result<BTreeSet<Unit>> {
    let sql = format!(
        "SELECT r.incident, r.number FROM {} CROSS JOIN incident_note AS r
         WHERE r.organization = $1 AND r.incident = wanted.number AND r.deleted_date IS NULL
           AND r.seq_from <= $3",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &seq];
    let rows: Vec<(i64, i64)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|(number, part)| Unit { number, part }).collect())
}

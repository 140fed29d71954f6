//! What the index is to catch up with beside the journal: parts of records that were deleted, restored or restricted, and
//! records that were deleted in a write which left their words to it.

use std::collections::BTreeSet;

use db::{Param, Tx};
use domain::OrgId;
use domain::search::SearchKind;

use super::progress::note_removal;
use super::tables::sum_of_each;
use super::unit::{OWN, Unit};
use crate::ledger::error::Result;

/// A unit whose index may not be what the unit is.
pub(super) struct Due {
    pub(super) kind: SearchKind,
    pub(super) unit: Unit,
    /// The bytes of its texts, in the index and in the record.
    pub(super) bytes: i64,
}

/// Leaves the words of deleted records to what follows the journal. Until then searches know them by these rows: a deletion costs
/// the same however much the record has.
pub(crate) async fn hide(tx: &mut Tx, organization: OrgId, kind: SearchKind, numbers: &[i64]) -> Result<()> {
    note_removal(tx, organization).await?;
    add(tx, organization, kind, &numbers.iter().copied().map(Unit::own).collect()).await
}

/// The records of a kind that are due themselves: searches may find them although they are deleted.
pub(crate) async fn hidden(tx: &mut Tx, organization: OrgId, kind: SearchKind) -> Result<Vec<i64>> {
    let sql = "SELECT number FROM search_due WHERE organization = $1 AND noun = $2 AND part = $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &kind.as_str(), &OWN];
    let rows: Vec<(i64,)> = tx.query(sql, &params).await?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}

/// Up to `limit` units that are due.
pub(super) async fn first(tx: &mut Tx, organization: OrgId, limit: i64) -> Result<Vec<Due>> {
    let of_parts = sum_of_each(|table| {
        format!(
            "SELECT {} FROM {} AS r WHERE r.organization = d.organization AND d.noun = 'incident'
                AND r.incident = d.number AND {}",
            table.bytes(),
            table.name,
            table.is_unit("d.part")
        )
    });
    let sql = format!(
        "SELECT d.noun, d.number, d.part, CAST(
            COALESCE((SELECT octet_length(r.texts) FROM search_record AS r
                WHERE r.organization = d.organization AND r.noun = d.noun AND r.number = d.number
                    AND d.part = 0), 0)
            + COALESCE((SELECT octet_length(p.texts) FROM search_part AS p
                WHERE p.organization = d.organization AND p.noun = d.noun AND p.number = d.number
                    AND p.part = d.part), 0)
            + {of_parts} AS BIGINT)
        FROM search_due AS d WHERE d.organization = $1 ORDER BY d.noun, d.number, d.part LIMIT $2"
    );
    let rows: Vec<(String, i64, i64, i64)> = tx.query(&sql, &[&organization.uuid(), &limit]).await?;
    let due = |(kind, number, part, bytes): (String, i64, i64, i64)| {
        Some(Due { kind: SearchKind::parse(&kind)?, unit: Unit { number, part }, bytes })
    };
    Ok(rows.into_iter().filter_map(due).collect())
}

/// Adds units that are due.
pub(super) async fn add(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    units: &BTreeSet<Unit>,
) -> Result<()> {
    let (organization, kind) = (organization.uuid(), kind.as_str());
    let rows: Vec<[&dyn Param; 4]> = units
        .iter()
        .map(|unit| -> [&dyn Param; 4] { [&organization, &kind, &unit.number, &unit.part] })
        .collect();
    let sql = "INSERT INTO search_due (organization, noun, number, part) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING";
    Ok(tx.insert_many(sql, &rows).await?)
}

/// Removes units whose index is what they are.
pub(super) async fn done(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    units: &BTreeSet<Unit>,
) -> Result<()> {
    let (organization, kind) = (organization.uuid(), kind.as_str());
    let rows: Vec<[&dyn Param; 4]> = units
        .iter()
        .map(|unit| -> [&dyn Param; 4] { [&organization, &kind, &unit.number, &unit.part] })
        .collect();
    let sql = "DELETE FROM search_due WHERE organization = $1 AND noun = $2 AND number = $3 AND part = $4";
    Ok(tx.send_many(sql, &rows).await?)
}

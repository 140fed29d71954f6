//! "As of": the journal entry that corresponds to a time in the past.

use db::Tx;
use domain::OrgId;
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::view::View;

/// A resolved time: `seq` decides what is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsOf {
    /// The requested time, or that of the entry.
    pub at: Timestamp,
    /// The last entry that counts; 0 before the first.
    pub seq: i64,
}

/// Resolves `as_of`, `as_of_seq` or both. `None` when one of them lies beyond now or the head.
///
/// `as_of` alone is the last entry at or before it; `as_of_seq` alone gives that entry's time. Sent together they
/// always give the same result.
#[boxed]
pub async fn resolve(
    tx: &mut Tx,
    organization: OrgId,
    as_of: Option<Timestamp>,
    as_of_seq: Option<i64>,
) -> Result<Option<AsOf>> {
    let head = super::read::head(tx, organization).await?;
    // A write may have been given a time a little ahead of this machine's clock.
    let now = head.last_at.map_or(tx.at(), |last| last.max(tx.at()));
    if as_of.is_some_and(|at| at > now) || as_of_seq.is_some_and(|seq| seq < 0 || seq > head.seq) {
        return Ok(None);
    }
    match (as_of, as_of_seq) {
        (Some(at), Some(seq)) => Ok(Some(AsOf { at, seq })),
        (Some(at), None) => {
            Ok(Some(AsOf { at, seq: last_at_or_before(tx, organization, at, head.seq).await? }))
        }
        (None, Some(seq)) => Ok(Some(AsOf { at: time_of(tx, organization, seq).await?.unwrap_or(now), seq })),
        (None, None) => Ok(Some(AsOf { at: now, seq: head.seq })),
    }
}

/// The time at which a view looks at the register.
pub(crate) async fn instant(tx: &mut Tx, organization: OrgId, view: View) -> Result<Timestamp> {
    let at = match (view.at, view.as_of_seq) {
        (None, Some(seq)) => time_of(tx, organization, seq).await?,
        (at, _) => at,
    };
    Ok(at.unwrap_or(tx.at()))
}

/// Times never go back along the chain, so the entry is found by binary search: twenty look-ups in one statement for a million
/// entries, and no index that every write would pay for.
async fn last_at_or_before(tx: &mut Tx, organization: OrgId, at: Timestamp, head: i64) -> Result<i64> {
    // CROSS JOIN, because SQLite keeps its order: the entry in the middle is looked up.
    let sql = "WITH RECURSIVE place (known, beyond) AS (
             SELECT CAST(0 AS BIGINT), CAST($3 AS BIGINT)
             UNION ALL
             SELECT CASE WHEN entry.at <= $2 THEN entry.seq ELSE place.known END,
                    CASE WHEN entry.at <= $2 THEN place.beyond ELSE entry.seq END
             FROM place CROSS JOIN journal_entry AS entry
             WHERE entry.organization = $1 AND entry.seq = (place.known + place.beyond) / 2
               AND place.beyond - place.known > 1
         )
         SELECT MAX(known) FROM place";
    let (known,) = tx.query_one(sql, &[&organization.uuid(), &at, &(head + 1)]).await?;
    Ok(known)
}

async fn time_of(tx: &mut Tx, organization: OrgId, seq: i64) -> Result<Option<Timestamp>> {
    let sql = "SELECT at FROM journal_entry WHERE organization = $1 AND seq = $2";
    let row: Option<(Timestamp,)> = tx.query_opt(sql, &[&organization.uuid(), &seq]).await?;
    Ok(row.map(|(at,)| at))
}

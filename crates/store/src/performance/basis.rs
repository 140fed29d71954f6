//! What a figure of the past rests on, so that it can be kept for as long as that is the same.

use db::Tx;
use domain::OrgId;
use jiff::Timestamp;
use macros::boxed;

use crate::Counter;
use crate::ledger::error::Result;
use crate::ledger::journal;
use crate::risks::RiskFilter;

/// What figures of periods that end at `until` or earlier rest on: as long as this is the same, so are they. Writes that are
/// still to come do not change what was known before the last one, but a purge takes risks out of the past. Without a tag
/// this is the number of purged risks; a tag takes its links with it, so with one it is the last journal entry, and so it is
/// where the end is not over yet.
#[boxed]
pub async fn basis(
    tx: &mut Tx,
    organization: OrgId,
    filter: &RiskFilter,
    until: Timestamp,
) -> Result<(i64, i64)> {
    let head = journal::head(tx, organization).await?;
    if !filter.tags.tags.is_empty() || head.last_at.is_none_or(|last| last <= until) {
        return Ok((head.seq, 0));
    }
    let sql = "SELECT count(*) FROM risk WHERE organization = $1";
    let (left,): (i64,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    let made = head.counters.get(Counter::Risk as usize).copied().unwrap_or_default();
    Ok((0, made - left))
}

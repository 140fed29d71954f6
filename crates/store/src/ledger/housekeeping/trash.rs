//! Which records are to be purged.

use db::Tx;
use domain::OrgId;
use domain::organization::purged_before;
use jiff::Timestamp;
use macros::boxed;
use uuid::Uuid;

use super::purge::Trash;
use crate::ledger::error::Result;

/// Looks at up to `limit` organizations after `after`, in the order of their ids: which of them have
/// something to purge at `now`, and the last one looked at; none when there are no more. Only reads.
#[boxed]
pub async fn organizations_with_due(
    tx: &mut Tx,
    trash: Trash,
    now: Timestamp,
    after: OrgId,
    limit: i64,
) -> Result<(Vec<OrgId>, Option<OrgId>)> {
    let looked_at: Vec<(Uuid, i64, Option<Timestamp>)> =
        tx.query(&trash.statement(), &[&after.uuid(), &limit]).await?;
    let last = looked_at.last().map(|(id, ..)| OrgId(*id));
    let due = looked_at.into_iter().filter(|(_, trash_days, oldest)| {
        let before = purged_before(now, *trash_days);
        before.zip(*oldest).is_some_and(|(before, oldest)| oldest <= before)
    });
    Ok((due.map(|(id, ..)| OrgId(id)).collect(), last))
}

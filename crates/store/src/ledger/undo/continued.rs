//! Requests that were made in several writes. Undoing one takes back what all of them did, so a write that continues a
//! request names where the request began, for as long as it can be undone.

use db::{Param, Tx};
use domain::OrgId;
use domain::undo::MAX_AGE;

use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;

/// Notes that the write of this organization whose first entry is `seq` continues a request: the request began after the
/// entry `after`.
pub(crate) async fn note(tx: &mut Tx, organization: OrgId, seq: i64, after: i64) -> Result<()> {
    let sql =
        "INSERT INTO continued_request (organization, seq, after_seq, created_date) VALUES ($1, $2, $3, $4)";
    let (organization, at) = (organization.uuid(), tx.at());
    tx.send(sql, &[&organization, &seq, &after, &at]).await?;
    Ok(())
}

/// The entry before the request that the write with this first entry continues; none if it is the only one or the first.
pub(super) async fn after(tx: &mut Tx, organization: OrgId, seq: i64) -> Result<Option<i64>> {
    let sql = "SELECT after_seq FROM continued_request WHERE organization = $1 AND seq = $2";
    let params: [&dyn Param; 2] = [&organization.uuid(), &seq];
    let found: Option<(i64,)> = tx.query_opt(sql, &params).await?;
    Ok(found.map(|(after,)| after))
}

/// When it is forgotten.
pub(crate) const EXPIRY: Expiry =
    Expiry { table: "continued_request", key: "organization, seq", date: "created_date", kept: MAX_AGE };

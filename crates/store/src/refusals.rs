//! Recent refusals of clients, for diagnosing why a client is refused.
//!
//! Best effort: they are collected in memory and written together, and only the newest of each client are kept. Not
//! journaled, as the register does not change.

use db::{FromRow, Row, Tx};
use domain::{ClientId, OrgId};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::Page;
use crate::error::Result;
use crate::housekeeping::Expiry;

/// How many of each client are kept.
pub const KEPT: usize = 100;

/// How long one is kept: it names an address, which may be a person's.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A refusal of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Its id, a UUIDv7: later ones are greater.
    pub id: Uuid,
    /// When.
    pub refused_date: Timestamp,
    /// Stable machine code, such as `wrong_secret`.
    pub reason: String,
    /// The scope that was missing, if that is why.
    pub scope: Option<String>,
    /// The address of the request.
    pub address: String,
    /// The request, as in the log.
    pub request_id: String,
}

impl FromRow for Refusal {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            refused_date: row.get(1)?,
            reason: row.get(2)?,
            scope: row.get(3)?,
            address: row.get(4)?,
            request_id: row.get(5)?,
        })
    }
}

/// Adds what a client was refused, and forgets all but the newest [`KEPT`].
pub async fn add(tx: &mut Tx, org: OrgId, client: &ClientId, refusals: &[Refusal]) -> Result<()> {
    for refusal in refusals {
        tx.send(
            "INSERT INTO client_refusal
                 (organization, client_id, id, refused_date, reason, scope, address, request_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (organization, client_id, id) DO NOTHING",
            &[
                &org.uuid(),
                &client.as_str(),
                &refusal.id,
                &refusal.refused_date,
                &refusal.reason,
                &refusal.scope,
                &refusal.address,
                &refusal.request_id,
            ],
        )
        .await?;
    }
    let kept = i64::try_from(KEPT).unwrap_or(i64::MAX);
    tx.send(
        "DELETE FROM client_refusal
         WHERE organization = $1 AND client_id = $2
           AND id <= (SELECT id FROM client_refusal WHERE organization = $1 AND client_id = $2
                      ORDER BY id DESC LIMIT 1 OFFSET $3)",
        &[&org.uuid(), &client.as_str(), &kept],
    )
    .await?;
    Ok(())
}

/// One page of what a client was refused, the newest first, `before` the one of this name.
pub async fn list(
    tx: &mut Tx,
    org: OrgId,
    client: &ClientId,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Page<Refusal>> {
    let rows = tx
        .query(
            "SELECT id, refused_date, reason, scope, address, request_id FROM client_refusal
             WHERE organization = $1 AND client_id = $2 AND id < $3
             ORDER BY id DESC LIMIT $4",
            &[&org.uuid(), &client.as_str(), &before.unwrap_or(Uuid::max()), &(limit + 1)],
        )
        .await?;
    Ok(Page::cut(rows, limit))
}

/// How many refusals of a client are kept now.
pub async fn count(tx: &mut Tx, org: OrgId, client: &ClientId) -> Result<i64> {
    let sql = "SELECT count(*) FROM client_refusal WHERE organization = $1 AND client_id = $2";
    let (count,) = tx.query_one(sql, &[&org.uuid(), &client.as_str()]).await?;
    Ok(count)
}

/// When a refusal is forgotten.
pub(crate) const EXPIRY: Expiry = Expiry {
    table: "client_refusal",
    key: "organization, client_id, id",
    date: "refused_date",
    kept: KEPT_FOR,
};

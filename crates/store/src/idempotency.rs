//! Responses by Idempotency-Key: the response of a write, stored for 24 hours in the same transaction. They are not
//! journaled, because they are not part of the register.

use db::{FromRow, Param, Row, Tx};
use domain::{Actor, OrgId, Scopes};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;

use crate::error::Result;
use crate::housekeeping::Expiry;
use crate::record::Reader;

/// How long an answer is kept.
pub const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);

/// An answer, and what it was the answer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// SHA-256 of the request that the key stands for.
    pub fingerprint: Vec<u8>,
    /// The HTTP status.
    pub status: i64,
    /// The path of what was made.
    pub location: Option<String>,
    /// The entity tag of what the body shows; none where it shows no record, and for answers that were
    /// kept before tags were.
    pub etag: Option<String>,
    /// The body, byte for byte.
    pub body: Vec<u8>,
    /// The scopes that the write required beyond the one of its route.
    pub required_scopes: Scopes,
}

impl FromRow for Stored {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let row = &mut Reader::new(row);
        Ok(Self {
            fingerprint: row.next()?,
            status: row.next()?,
            location: row.next()?,
            etag: row.next()?,
            body: row.next()?,
            // A newer release may require a scope that this one does not know.
            required_scopes: Scopes::parse(&row.next::<String>()?).unwrap_or_else(|_| Scopes::all()),
        })
    }
}

/// The answer that `caller` got under `key` in the last 24 hours.
#[boxed]
pub async fn find(tx: &mut Tx, organization: OrgId, caller: &Actor, key: &str) -> Result<Option<Stored>> {
    let sql = "SELECT fingerprint, status, location, etag, body, required_scopes FROM idempotency_key
               WHERE organization = $1 AND actor_kind = $2 AND actor_id = $3 AND key = $4 AND created_date > $5";
    let (org, kind, expired) = (organization.uuid(), caller.kind.as_str(), expired(tx));
    Ok(tx.query_opt(sql, &[&org, &kind, &caller.id, &key, &expired]).await?)
}

/// Keeps an answer, in place of an expired one under the same key.
#[boxed]
pub async fn insert(
    tx: &mut Tx,
    organization: OrgId,
    caller: &Actor,
    key: &str,
    answer: &Stored,
) -> Result<()> {
    let (org, kind, at) = (organization.uuid(), caller.kind.as_str(), tx.at());
    let sql = "INSERT INTO idempotency_key
                   (organization, actor_kind, actor_id, key, fingerprint, status, location, etag, body, created_date,
                    required_scopes)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
               ON CONFLICT (organization, actor_kind, actor_id, key) DO UPDATE
               SET fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location,
                   etag = excluded.etag, body = excluded.body, created_date = excluded.created_date,
                   required_scopes = excluded.required_scopes";
    let Stored { fingerprint, status, location, etag, body, required_scopes } = answer;
    let scopes = required_scopes.to_string();
    let params: [&dyn Param; 11] =
        [&org, &kind, &caller.id, &key, fingerprint, status, location, etag, body, &at, &scopes];
    tx.send(sql, &params).await?;
    Ok(())
}

/// When an answer is forgotten.
pub(crate) const EXPIRY: Expiry = Expiry {
    table: "idempotency_key",
    key: "organization, actor_kind, actor_id, key",
    date: "created_date",
    kept: KEPT_FOR,
};

fn expired(tx: &Tx) -> Timestamp {
    tx.at().saturating_sub(KEPT_FOR).unwrap_or(Timestamp::MIN)
}

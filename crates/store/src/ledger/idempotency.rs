//! Responses by Idempotency-Key: the response of a write, stored for 24 hours in the same transaction. They are not
//! journaled, because they are not part of the register.

use db::{FromRow, Param, Row, Tx};
use domain::{Actor, IncidentNumber, OrgId, Scopes};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;
use crate::ledger::record::Reader;

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
    /// The body, byte for byte; none once a text that it showed was redacted.
    pub body: Option<Vec<u8>>,
    /// The incidents that the answer shows or names.
    pub incidents: Vec<IncidentNumber>,
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
            incidents: numbers(row.next()?),
            // A newer release may require a scope that this one does not know.
            required_scopes: Scopes::parse(&row.next::<String>()?).unwrap_or_else(|_| Scopes::all()),
        })
    }
}

/// The answer that `caller` got under `key` in the last 24 hours.
#[boxed]
pub async fn find(tx: &mut Tx, organization: OrgId, caller: &Actor, key: &str) -> Result<Option<Stored>> {
    let sql = "SELECT fingerprint, status, location, etag, body, incidents, required_scopes FROM idempotency_key
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
                   (organization, actor_kind, actor_id, key, fingerprint, status, location, etag, body, incidents,
                    created_date, required_scopes)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
               ON CONFLICT (organization, actor_kind, actor_id, key) DO UPDATE
               SET fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location,
                   etag = excluded.etag, body = excluded.body, incidents = excluded.incidents,
                   created_date = excluded.created_date, required_scopes = excluded.required_scopes";
    let Stored { fingerprint, status, location, etag, body, incidents, required_scopes } = answer;
    let (scopes, listed) = (required_scopes.to_string(), listed(incidents));
    let params: [&dyn Param; 12] =
        [&org, &kind, &caller.id, &key, fingerprint, status, location, etag, body, &listed, &at, &scopes];
    tx.send(sql, &params).await?;
    Ok(())
}

/// Takes out the answers that show or name this incident, of which a text was redacted. Their keys stay used, so that a
/// repetition does not write the text again; the hash of the request goes too, since short texts can be guessed from it.
#[boxed]
pub(crate) async fn forget(tx: &mut Tx, organization: OrgId, incident: IncidentNumber) -> Result<()> {
    let sql = "UPDATE idempotency_key SET body = NULL, etag = NULL, fingerprint = $3
               WHERE organization = $1 AND ' ' || incidents || ' ' LIKE $2";
    let (organization, listed) = (organization.uuid(), format!("% {} %", incident.number()));
    tx.send(sql, &[&organization, &listed, &Vec::<u8>::new()]).await?;
    Ok(())
}

/// Incidents as they are stored.
fn listed(incidents: &[IncidentNumber]) -> Option<String> {
    let listed: Vec<String> = incidents.iter().map(|incident| incident.number().to_string()).collect();
    (!listed.is_empty()).then(|| listed.join(" "))
}

fn numbers(listed: Option<String>) -> Vec<IncidentNumber> {
    let listed = listed.unwrap_or_default();
    listed.split(' ').filter_map(|number| number.parse().ok().map(IncidentNumber)).collect()
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

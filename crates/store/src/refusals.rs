//! Recent refusals of clients, for diagnosing why a client is refused.
//!
//! Best effort: they are collected in memory and written together, and only the newest of each client are kept. Not
//! journaled, as the register does not change.

use db::{Tx, Value};
use domain::{ClientId, OrgId};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use uuid::Uuid;

use crate::Page;
use crate::ledger::error::Result;
use crate::ledger::housekeeping::Expiry;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::record::{self, Stored, record};
use crate::ledger::view::View;

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

record! {
    Refusal in "client_refusal" {
        id: Plain => Key,
        refused_date: Plain => Fixed,
        reason: Plain => Fixed,
        scope: Plain => Fixed,
        address: Plain => Fixed,
        request_id: Plain => Fixed,
    }
}

/// A refusal as its table has it.
struct RefusalRow {
    refusal: Refusal,
    client_id: ClientId,
}

record! {
    RefusalRow in "client_refusal" with refusal: Refusal {
        client_id: Plain => Key,
    }
}

/// Adds what a client was refused, and forgets all but the newest [`KEPT`].
#[boxed]
pub async fn add(tx: &mut Tx, org: OrgId, client: &ClientId, refusals: &[Refusal]) -> Result<()> {
    for refusal in refusals {
        let row = RefusalRow { refusal: refusal.clone(), client_id: client.clone() };
        record::insert_once(tx, org, &row).await?;
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
#[boxed]
pub async fn list(
    tx: &mut Tx,
    org: OrgId,
    client: &ClientId,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Page<Refusal>> {
    let before = before.map(Value::from);
    let page = of_client(org, client).order(&["id"], Direction::Descending, before).page(tx, limit).await?;
    Ok(page.map(|Stored(refusal)| refusal))
}

/// How many refusals of a client are kept now.
#[boxed]
pub async fn count(tx: &mut Tx, org: OrgId, client: &ClientId) -> Result<i64> {
    of_client(org, client).count(tx).await
}

fn of_client(org: OrgId, client: &ClientId) -> Select<'_, Refusal> {
    let of_client = Filter::is("client_id", client.as_str().into());
    Select::of(org, View::with_deleted()).filter(of_client)
}

/// When a refusal is forgotten.
pub(crate) const EXPIRY: Expiry = Expiry {
    table: "client_refusal",
    key: "organization, client_id, id",
    date: "refused_date",
    kept: KEPT_FOR,
};

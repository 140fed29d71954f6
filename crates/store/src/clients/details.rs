//! Clients as shown to their administrators.

use db::{FromRow, Row, Tx, Value};
use domain::{Actor, ActorKind, ClientId, Error, OrgId, ResourceKind};
use jiff::Timestamp;
use serde_json::json;

use super::{ClientAndSecret, ClientRecord, secrets};
use crate::error::Result;
use crate::page::Page;
use crate::records::{Cursor, RecordPage};
use crate::verify::{Made, Recorded};

/// The same with the actor that created the client, by its current name.
macro_rules! select_details {
    ($from:literal, $condition:literal) => {
        select_client!(
            ", c.created_by_kind, c.created_by_id, COALESCE(maker.name, membership.name, c.created_by_id)",
            $from,
            "LEFT JOIN client maker ON maker.organization = c.organization AND maker.id = c.created_by_id
             LEFT JOIN membership
                    ON membership.organization = c.organization AND membership.actor_id = c.created_by_id",
            $condition,
            "c.created_date, c.id"
        )
    };
}

/// A client with everything that may be shown.
#[derive(Debug, Clone)]
pub struct Details {
    /// The client with its secrets.
    pub record: ClientRecord,
    /// The actor that created it.
    pub created_by: Actor,
}

impl Details {
    /// When the last used one of its secrets was last used, to within a minute or so.
    pub fn last_used_date(&self) -> Option<Timestamp> {
        self.record.secrets.iter().filter_map(|secret| secret.last_used_date).max()
    }
}

/// A row of `select_client!` with the client's maker.
struct Found(ClientAndSecret, Actor);

impl FromRow for Found {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let kind: String = row.get(14)?;
        let kind = ActorKind::parse(&kind)
            .ok_or_else(|| db::Error::Internal("client.created_by_kind is damaged".to_owned()))?;
        let maker = Actor { kind, id: row.get(15)?, name: row.get(16)? };
        Ok(Self(ClientAndSecret::from_row(row)?, maker))
    }
}

/// Rows become clients: those of one client stand together.
fn details(rows: Vec<Found>) -> Vec<Details> {
    let mut all: Vec<Details> = Vec::new();
    for Found(ClientAndSecret(record, secret), created_by) in rows {
        match all.last_mut().filter(|last| last.record.client.id == record.client.id) {
            Some(last) => last.record.secrets.extend(secret),
            None => {
                let record = ClientRecord { secrets: secret.into_iter().collect(), ..record };
                all.push(Details { record, created_by });
            }
        }
    }
    all
}

/// One client of an organization.
pub async fn get(tx: &mut Tx, org: OrgId, id: &ClientId) -> Result<Details> {
    let sql = select_details!("client", "c.organization = $1 AND c.id = $2");
    let rows = tx.query(sql, &[&org.uuid(), &id.as_str()]).await?;
    Ok(details(rows).into_iter().next().ok_or(Error::NotFound(ResourceKind::Client))?)
}

/// How many clients an organization has.
pub async fn count(tx: &mut Tx, org: OrgId) -> Result<i64> {
    let (count,) =
        tx.query_one("SELECT count(*) FROM client WHERE organization = $1", &[&org.uuid()]).await?;
    Ok(count)
}

/// A page of an organization's clients, the oldest first, after the one that was made at that time.
pub async fn list(
    tx: &mut Tx,
    org: OrgId,
    after: Option<(Timestamp, String)>,
    limit: i64,
) -> Result<Page<Details>> {
    let (date, id) = after.unwrap_or((Timestamp::UNIX_EPOCH, String::new()));
    let sql = select_details!(
        "(SELECT * FROM client WHERE organization = $1 AND (created_date, id) > ($2, $3)
          ORDER BY created_date, id LIMIT $4)",
        "c.organization = $1"
    );
    let rows = tx.query(sql, &[&org.uuid(), &date, &id, &(limit + 1)]).await?;
    Ok(Page::cut(details(rows), limit))
}

/// Clients that are read at a time.
const PAGE: i64 = 200;

/// The next clients, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, org: OrgId, after: Cursor) -> Result<RecordPage> {
    let after = match after.as_slice() {
        [Value::Time(date), Value::Text(id)] => Some((*date, id.to_string())),
        _ => None,
    };
    let page = list(tx, org, after, PAGE).await?;
    let last = page.rows.last().filter(|_| page.has_more).map(|details| &details.record.client);
    let next = last.map(|client| vec![client.created_date.into(), client.id.as_str().to_owned().into()]);
    let records = page.rows.iter().map(|Details { record, created_by }| {
        let fields = [
            ("name", json!(record.client.name)),
            ("scopes", json!(record.client.scopes.to_string())),
            ("refresh_client_auth", json!(record.refresh_client_auth)),
            ("disabled_date", json!(record.disabled_date.map(domain::time::format))),
        ];
        let made = Made::by(record.client.created_date, created_by);
        let mut recorded = Recorded::new(super::subject(&record.client.id), fields).made(made);
        for secret in &record.secrets {
            let expires_date = json!(secret.expires_date.map(domain::time::format));
            recorded.fields.insert(secrets::expiry_field(secret.id), expires_date);
            recorded.hashed.insert(secrets::hash_field(secret.id), secret.hash.clone());
        }
        recorded
    });
    Ok(RecordPage { records: records.collect(), next })
}

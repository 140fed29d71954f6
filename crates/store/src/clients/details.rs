//! Clients as shown to their administrators.

use std::sync::LazyLock;

use db::{Tx, Value};
use domain::client::Client;
use domain::{Actor, ClientId, Error, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;
use serde_json::json;

use super::secret_fields::{expiry_field, hash_field};
use super::{ClientRecord, WithSecret, gather, select};
use crate::ledger::error::Result;
use crate::ledger::list::Select;
use crate::ledger::page::Page;
use crate::ledger::record::record;
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};
use crate::ledger::view::View;

/// A client with everything that may be shown.
#[derive(Debug, Clone)]
pub struct Details {
    /// The client with its secrets.
    pub record: ClientRecord,
    /// The actor that created it.
    pub created_by: Actor,
}

record! {
    Details in "client" with record: ClientRecord {
        created_by: AnActor => Fixed,
    }
}

impl Details {
    /// When the last used one of its secrets was last used, to within a minute or so.
    pub fn last_used_date(&self) -> Option<Timestamp> {
        self.record.secrets.iter().filter_map(|secret| secret.last_used_date).max()
    }
}

/// One client of an organization.
#[boxed]
pub async fn get(tx: &mut Tx, org: OrgId, id: &ClientId) -> Result<Details> {
    static GET: LazyLock<String> =
        LazyLock::new(|| select::<Details>("client", "r.organization = $1 AND r.id = $2", "r.id"));
    let rows = tx.query(&GET, &[&org.uuid(), &id.as_str()]).await?;
    Ok(details(rows).into_iter().next().ok_or(Error::NotFound(ResourceKind::Client))?)
}

fn details(rows: Vec<WithSecret<Details>>) -> Vec<Details> {
    gather(rows, |details| &mut details.record)
}

/// How many clients an organization has.
#[boxed]
pub async fn count(tx: &mut Tx, org: OrgId) -> Result<i64> {
    Select::<Client>::of(org, View::with_deleted()).count(tx).await
}

/// A page of an organization's clients, the oldest first, after the one that was made at that time.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    org: OrgId,
    after: Option<(Timestamp, String)>,
    limit: i64,
) -> Result<Page<Details>> {
    static LIST: LazyLock<String> = LazyLock::new(|| {
        let page = "(SELECT * FROM client WHERE organization = $1 AND (created_date, id) > ($2, $3)
                     ORDER BY created_date, id LIMIT $4)";
        select::<Details>(page, "r.organization = $1", "r.created_date, r.id")
    });
    let (date, id) = after.unwrap_or((Timestamp::UNIX_EPOCH, String::new()));
    let rows = tx.query(&LIST, &[&org.uuid(), &date, &id, &(limit + 1)]).await?;
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
    let records = page.rows.into_iter().map(|details| {
        let mut recorded = Recorded::of(super::subject(&details.record.client.id), &details);
        for secret in details.record.secrets {
            let expires_date = json!(secret.expires_date.map(domain::time::format));
            recorded.fields.insert(expiry_field(secret.id), expires_date);
            recorded.hashed.insert(hash_field(secret.id), secret.hash);
        }
        recorded.made(Made::by(details.record.client.created_date, &details.created_by))
    });
    Ok(RecordPage { records: records.collect(), next })
}

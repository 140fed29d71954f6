//! Reading the journal: the change feed, whose cursor is the entry's number.

use db::{Head, Tx};
use domain::OrgId;

use crate::error::{Error, Result};
use crate::journal::entry::{COLUMNS, Entry};

/// Up to `limit` entries after the entry `after`, in order.
pub async fn list(tx: &mut Tx, organization: OrgId, after: i64, limit: i64) -> Result<Vec<Entry>> {
    // `membership.actor_id` is the person as text, because the engines cast a UUID differently.
    let sql = format!(
        "SELECT {COLUMNS} FROM journal_entry AS entry
         LEFT JOIN client ON entry.actor_kind = 'client' AND client.organization = entry.organization
                          AND client.id = entry.actor_id
         LEFT JOIN membership ON entry.actor_kind = 'user' AND membership.organization = entry.organization
                          AND membership.actor_id = entry.actor_id
         WHERE entry.organization = $1 AND entry.seq > $2 ORDER BY entry.seq LIMIT $3"
    );
    Ok(tx.query(&sql, &[&organization.uuid(), &after, &limit]).await?)
}

/// How many entries there are.
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    // They are numbered from 1 without gaps.
    Ok(head(tx, organization).await?.seq)
}

/// Where the journal stands.
pub async fn head(tx: &mut Tx, organization: OrgId) -> Result<Head> {
    tx.read_head(organization)
        .await?
        .ok_or(Error(domain::Error::NotFound(domain::ResourceKind::Organization)))
}

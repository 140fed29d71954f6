//! The people whom records name: who is a member, and what the organization calls them.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::{OrgId, UserId};
use serde_json::json;
use uuid::Uuid;

use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;

/// Those of these people who are members.
pub(crate) async fn among(tx: &mut Tx, organization: OrgId, people: &[UserId]) -> Result<HashSet<UserId>> {
    let sql = format!(
        "SELECT (SELECT membership.person FROM membership
             WHERE membership.organization = $1 AND membership.actor_id = wanted.item
               AND membership.removed_date IS NULL)
         FROM {}",
        wanted_texts(tx.engine(), "$2")
    );
    let rows: Vec<(Option<Uuid>,)> =
        tx.query(&sql, &[&organization.uuid(), &json!(people).to_string()]).await?;
    Ok(rows.into_iter().filter_map(|(person,)| person.map(UserId)).collect())
}

/// What the organization calls the people among these ids; also those who were members.
pub(crate) async fn names(
    tx: &mut Tx,
    organization: OrgId,
    ids: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, String>> {
    // CROSS JOIN, because SQLite keeps its order: each id is looked up.
    let sql = format!(
        "SELECT membership.person, membership.name FROM {} CROSS JOIN membership
         WHERE membership.organization = $1 AND membership.actor_id = wanted.item",
        wanted_texts(tx.engine(), "$2")
    );
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let rows: Vec<(Uuid, String)> = tx.query(&sql, &[&organization.uuid(), &json!(ids).to_string()]).await?;
    Ok(rows.into_iter().collect())
}

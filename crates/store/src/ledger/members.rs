//! The people whom records name: who is a member, and what the organization calls them.

use std::collections::{HashMap, HashSet};

use db::{Param, Tx};
use domain::{OrgId, UserId};
use serde_json::json;
use uuid::Uuid;

use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::view::View;

/// Those of these people who are members.
pub(crate) async fn among(tx: &mut Tx, organization: OrgId, people: &[UserId]) -> Result<HashSet<UserId>> {
    among_as_of(tx, organization, View::now(), people).await
}

/// Those of these people who were members in the register that a view sees.
pub(crate) async fn among_as_of(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    people: &[UserId],
) -> Result<HashSet<UserId>> {
    let sql = format!(
        "SELECT (SELECT membership.person FROM membership
             WHERE membership.organization = $1 AND membership.actor_id = wanted.item AND {})
         FROM {}",
        is_member(view.as_of_seq.map(|_| "$3")),
        wanted_texts(tx.engine(), "$2")
    );
    let (organization, people) = (organization.uuid(), json!(people).to_string());
    let mut params: Vec<&dyn Param> = vec![&organization, &people];
    params.extend(view.as_of_seq.as_ref().map(|seq| -> &dyn Param { seq }));
    let rows: Vec<(Option<Uuid>,)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().filter_map(|(person,)| person.map(UserId)).collect())
}

/// The condition that who has the row `membership` is a member, or was one after the journal entry in the parameter `seq`.
pub(crate) fn is_member(seq: Option<&str>) -> String {
    let Some(seq) = seq else { return "membership.removed_date IS NULL".to_owned() };
    format!(
        "((membership.removed_date IS NULL AND membership.seq_from <= {seq}) OR EXISTS (
             SELECT 1 FROM membership_history AS earlier
             WHERE earlier.organization = membership.organization AND earlier.person = membership.person
               AND earlier.removed_date IS NULL AND earlier.seq_from <= {seq} AND earlier.seq_to > {seq}))"
    )
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

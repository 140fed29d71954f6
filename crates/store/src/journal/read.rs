//! Reading the journal: the change feed, whose cursor is the entry's number.

use std::collections::HashMap;

use db::{Head, Param, Tx};
use domain::OrgId;

use crate::dialect::wanted_texts;
use crate::error::{Error, Result};
use crate::journal::entry::Entry;
use crate::list::{Direction, Select};
use crate::record::{Record as _, Stored};
use crate::view::View;

/// Up to `limit` entries after the entry `after`, in order.
pub async fn list(tx: &mut Tx, organization: OrgId, after: i64, limit: i64) -> Result<Vec<Entry>> {
    let select = Select::<Entry>::of(organization, View::with_deleted());
    let entries = select.order(&["seq"], Direction::Ascending, [after.into()]).first(tx, limit).await?;
    Ok(entries.into_iter().map(|Stored(entry)| entry).collect())
}

/// Up to `limit` entries about these records of one kind, by record and then in order: those after the entry `after`.
pub(crate) async fn list_of_subjects(
    tx: &mut Tx,
    organization: OrgId,
    kind: &str,
    ids: &[&str],
    after: &(String, i64),
    limit: i64,
) -> Result<Vec<Entry>> {
    // The names of actors are not needed. The numbers are found first, from the index by subject alone: SQLite would
    // otherwise pass over the whole journal for each record. CROSS JOIN, because SQLite keeps its order.
    let sql = format!(
        "SELECT {} FROM (
             SELECT entry.seq FROM {} CROSS JOIN journal_entry AS entry
             WHERE entry.organization = $1 AND entry.subject_kind = $2 AND entry.subject_id = wanted.item
               AND CASE WHEN entry.subject_id > $4 THEN 1 WHEN entry.seq > $5 THEN 1 ELSE 0 END = 1
             ORDER BY entry.subject_id, entry.seq LIMIT $6
         ) AS chosen CROSS JOIN journal_entry AS r
         WHERE r.organization = $1 AND r.seq = chosen.seq
         ORDER BY r.subject_id, r.seq",
        Entry::statements().unnamed_columns,
        wanted_texts(tx.engine(), "$3")
    );
    let (id, seq) = after;
    let left: Vec<_> = ids.iter().filter(|left| **left >= id.as_str()).collect();
    let ids = serde_json::json!(left).to_string();
    let params: [&dyn Param; 6] = [&organization.uuid(), &kind, &ids, id, seq, &limit];
    let entries: Vec<Stored<Entry>> = tx.query(&sql, &params).await?;
    Ok(entries.into_iter().map(|Stored(entry)| entry).collect())
}

/// The number of the latest entry about each of these records of one kind, by id.
pub(crate) async fn latest_of_subjects(
    tx: &mut Tx,
    organization: OrgId,
    kind: &str,
    ids: &[&str],
) -> Result<HashMap<String, i64>> {
    let sql = format!(
        "SELECT wanted.item, (SELECT MAX(entry.seq) FROM journal_entry AS entry
             WHERE entry.organization = $1 AND entry.subject_kind = $2 AND entry.subject_id = wanted.item)
         FROM {}",
        wanted_texts(tx.engine(), "$3")
    );
    let ids = serde_json::json!(ids).to_string();
    let rows: Vec<(String, Option<i64>)> = tx.query(&sql, &[&organization.uuid(), &kind, &ids]).await?;
    Ok(rows.into_iter().filter_map(|(id, seq)| Some((id, seq?))).collect())
}

/// Where the journal stands.
pub async fn head(tx: &mut Tx, organization: OrgId) -> Result<Head> {
    tx.read_head(organization)
        .await?
        .ok_or(Error(domain::Error::NotFound(domain::ResourceKind::Organization)))
}

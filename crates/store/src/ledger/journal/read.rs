//! Reading the journal: the change feed, whose cursor is the entry's number.

use std::collections::HashMap;

use db::{Head, Tx};
use domain::OrgId;
use domain::undo::is_of_part;
use macros::boxed;

use crate::ledger::dialect::{numbers_parameter, wanted_numbers, wanted_texts};
use crate::ledger::error::{Error, Result};
use crate::ledger::journal::checker::Expected;
use crate::ledger::journal::entry::Entry;
use crate::ledger::journal::kinds::kinds;
use crate::ledger::list::{Direction, Select};
use crate::ledger::record::{Record as _, Stored};
use crate::ledger::view::View;

/// The query for the hash of an entry, by organization and number, for `db::Options`.
pub const ENTRY_HASH: &str = "SELECT hash FROM journal_entry WHERE organization = $1 AND seq = $2";

/// Whether the journal has this entry, with this hash.
#[boxed]
pub async fn has_entry(tx: &mut Tx, organization: OrgId, noted: &Expected) -> Result<bool> {
    let found: Option<(Vec<u8>,)> = tx.query_opt(ENTRY_HASH, &[&organization.uuid(), &noted.seq]).await?;
    Ok(found.is_some_and(|(hash,)| hash == noted.hash))
}

/// Up to `limit` entries after the entry `after`, in order.
#[boxed]
pub async fn list(tx: &mut Tx, organization: OrgId, after: i64, limit: i64) -> Result<Vec<Entry>> {
    let select = Select::<Entry>::of(organization, View::with_deleted());
    let entries = select.order(&["seq"], Direction::Ascending, [after.into()]).first(tx, limit).await?;
    Ok(entries.into_iter().map(|Stored(entry)| entry).collect())
}

/// The numbers of the entries about these records of one kind, in order.
pub(crate) async fn numbers_of_subjects(
    tx: &mut Tx,
    organization: OrgId,
    kind: &str,
    ids: &[&str],
) -> Result<Vec<i64>> {
    // CROSS JOIN, because SQLite keeps its order: each record is looked up.
    let sql = format!(
        "SELECT entry.seq FROM {} CROSS JOIN journal_entry AS entry
         WHERE entry.organization = $1 AND entry.subject_kind = $2 AND entry.subject_id = wanted.item
         ORDER BY entry.seq",
        wanted_texts(tx.engine(), "$3")
    );
    let ids = serde_json::json!(ids).to_string();
    let numbers: Vec<(i64,)> = tx.query(&sql, &[&organization.uuid(), &kind, &ids]).await?;
    Ok(numbers.into_iter().map(|(number,)| number).collect())
}

/// The entries with these numbers, in order. The names of actors are their ids.
pub(crate) async fn list_of_numbers(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<Vec<Entry>> {
    let sql = format!(
        "SELECT {} FROM {} CROSS JOIN journal_entry AS r
         WHERE r.organization = $1 AND r.seq = wanted.number ORDER BY r.seq",
        Entry::statements().unnamed_columns,
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let entries: Vec<Stored<Entry>> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    Ok(entries.into_iter().map(|Stored(entry)| entry).collect())
}

/// The number of the latest entry about each of these records of one kind, by id. Entries about their parts do not count.
pub(crate) async fn latest_of_subjects(
    tx: &mut Tx,
    organization: OrgId,
    kind: &str,
    ids: &[&str],
) -> Result<HashMap<String, i64>> {
    // Kinds are words of this program.
    let parts: Vec<String> =
        kinds().filter(|kind| is_of_part(kind)).map(|kind| format!("'{kind}'")).collect();
    let parts = parts.join(", ");
    let sql = format!(
        "SELECT wanted.item, (SELECT entry.seq FROM journal_entry AS entry
             WHERE entry.organization = $1 AND entry.subject_kind = $2 AND entry.subject_id = wanted.item
               AND entry.kind NOT IN ({parts})
             ORDER BY entry.seq DESC LIMIT 1)
         FROM {}",
        wanted_texts(tx.engine(), "$3")
    );
    let ids = serde_json::json!(ids).to_string();
    let rows: Vec<(String, Option<i64>)> = tx.query(&sql, &[&organization.uuid(), &kind, &ids]).await?;
    Ok(rows.into_iter().filter_map(|(id, seq)| Some((id, seq?))).collect())
}

/// The number of the latest entry about a record and its parts; 0 if there is none.
#[boxed]
pub async fn latest_of_subject(tx: &mut Tx, organization: OrgId, kind: &str, id: &str) -> Result<i64> {
    let sql =
        "SELECT seq FROM journal_entry WHERE organization = $1 AND subject_kind = $2 AND subject_id = $3
               ORDER BY seq DESC LIMIT 1";
    let found: Option<(i64,)> = tx.query_opt(sql, &[&organization.uuid(), &kind, &id]).await?;
    Ok(found.map_or(0, |(seq,)| seq))
}

/// Where the journal stands.
#[boxed]
pub async fn head(tx: &mut Tx, organization: OrgId) -> Result<Head> {
    tx.read_head(organization)
        .await?
        .ok_or(Error(domain::Error::NotFound(domain::ResourceKind::Organization)))
}

//! Following the journal: the index learns what entries say has changed.

use std::collections::BTreeSet;

use db::{Param, Tx};
use domain::OrgId;
use domain::search::SearchKind;
use uuid::Uuid;

use super::index::refresh;
use crate::error::Result;
use crate::records::number_in;

/// Rows that one write deletes when the index is made again.
const ROWS: i64 = 2_000;

/// How far an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Followed {
    /// The entry up to which it has every change.
    pub seq: i64,
    /// How many entries that were.
    pub entries: usize,
}

/// The entry up to which the index has every change.
pub async fn progress(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    let sql = "SELECT seq FROM search_progress WHERE organization = $1";
    let found: Option<(i64,)> = tx.query_opt(sql, &[&organization.uuid()]).await?;
    Ok(found.map_or(0, |(seq,)| seq))
}

/// Up to `limit` organizations whose index is behind their journal, each with by how many entries.
pub async fn organizations_behind(tx: &mut Tx, limit: i64) -> Result<Vec<(OrgId, i64)>> {
    let sql = "SELECT head.organization, head.seq - COALESCE(done.seq, 0) FROM organization_head AS head
        LEFT JOIN search_progress AS done ON done.organization = head.organization
        WHERE head.organization > $1 AND head.seq > COALESCE(done.seq, 0)
        ORDER BY head.organization LIMIT $2";
    let rows: Vec<(Uuid, i64)> = tx.query(sql, &[&Uuid::nil(), &limit]).await?;
    Ok(rows.into_iter().map(|(id, behind)| (OrgId(id), behind)).collect())
}

/// Brings the index up to date with up to `most` entries after those that it has. In a write of the organization, so
/// nothing changes meanwhile.
pub async fn follow(tx: &mut Tx, organization: OrgId, most: i64) -> Result<Followed> {
    let seq = progress(tx, organization).await?;
    let sql = "SELECT seq, subject_kind, subject_id FROM journal_entry
        WHERE organization = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &seq, &most];
    let entries: Vec<(i64, String, String)> = tx.query(sql, &params).await?;
    let Some((last, ..)) = entries.last() else { return Ok(Followed { seq, entries: 0 }) };
    for kind in SearchKind::ALL {
        let of_kind = entries.iter().filter(|(_, subject, _)| subject == kind.as_str());
        let ids: BTreeSet<&str> = of_kind.map(|(.., id)| id.as_str()).collect();
        let numbers = match kind {
            SearchKind::Document => document_numbers(tx, organization, &ids).await?,
            SearchKind::Incident | SearchKind::Risk => ids.into_iter().filter_map(number_in).collect(),
        };
        refresh(tx, organization, *kind, &numbers).await?;
    }
    let sql = "INSERT INTO search_progress (organization, seq) VALUES ($1, $2)
        ON CONFLICT (organization) DO UPDATE SET seq = excluded.seq";
    tx.send(sql, &[&organization.uuid(), last]).await?;
    Ok(Followed { seq: *last, entries: entries.len() })
}

/// The numbers that the index gives these documents, which keep them.
async fn document_numbers(tx: &mut Tx, organization: OrgId, slugs: &BTreeSet<&str>) -> Result<Vec<i64>> {
    let organization = organization.uuid();
    let insert = "INSERT INTO search_record (organization, noun, number, id, restricted, texts)
        SELECT $1, 'document', COALESCE(MAX(number), 0) + 1, $2, FALSE, '' FROM search_record
        WHERE organization = $1 AND noun = 'document'
        ON CONFLICT DO NOTHING";
    let rows: Vec<[&dyn Param; 2]> =
        slugs.iter().map(|slug| -> [&dyn Param; 2] { [&organization, slug] }).collect();
    tx.execute_many(insert, &rows).await?;
    let mut numbers = Vec::with_capacity(slugs.len());
    let find = "SELECT number FROM search_record WHERE organization = $1 AND noun = 'document' AND id = $2";
    for slug in slugs {
        let (number,): (i64,) = tx.query_one(find, &[&organization, slug]).await?;
        numbers.push(number);
    }
    Ok(numbers)
}

/// Removes some of the index, so that [`follow`] makes it again from the first entry. Whether there is more to remove.
pub async fn clear(tx: &mut Tx, organization: OrgId) -> Result<bool> {
    let organization = organization.uuid();
    for (table, key) in [("search_word", "noun, restricted, block, word"), ("search_record", "noun, number")]
    {
        let sql = format!(
            "DELETE FROM {table} WHERE organization = $1 AND ({key}) IN
                 (SELECT {key} FROM {table} WHERE organization = $1 ORDER BY {key} LIMIT $2)"
        );
        if tx.execute(&sql, &[&organization, &ROWS]).await? > 0 {
            return Ok(true);
        }
    }
    tx.execute("DELETE FROM search_progress WHERE organization = $1", &[&organization]).await?;
    Ok(false)
}

//! Following the journal: the index learns what entries say has changed.

use std::collections::BTreeSet;

use db::{FromRow, Param, Row, Tx};
use domain::OrgId;
use domain::search::SearchKind;
use macros::boxed;
use uuid::Uuid;

use super::index::Change;
use crate::dialect::wanted_texts;
use crate::error::Result;
use crate::records::number_in;

/// Rows that one write removes of an index that is to be made again.
const ROWS: i64 = 2_000;

/// Stands for the entry of an index that is being removed: [`follow`] removes the rest of it before it begins again.
const REMOVED: i64 = -1;

/// How far an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Followed {
    /// The entry up to which it has every change.
    pub seq: i64,
    /// How many entries that were.
    pub entries: usize,
    /// Whether it had every change before.
    pub is_done: bool,
}

/// What is to be written for the next entries. It is found out in a read, so that others wait for the writing alone.
#[derive(Debug)]
pub struct Step {
    /// What it follows; of an index that has been written since, it says nothing.
    after: Progress,
    followed: Followed,
    changes: Vec<Change>,
}

/// How far an index is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Progress {
    /// The entry up to which it has every change.
    seq: i64,
    /// How many writes have taken out of it what records have lost.
    removals: i64,
}

/// The entry up to which the index has every change.
#[boxed]
pub async fn progress(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    Ok(Progress::read(tx, organization).await?.seq.max(0))
}

/// Whether the index is being removed, to be made again.
pub(crate) async fn is_being_removed(tx: &mut Tx, organization: OrgId) -> Result<bool> {
    Ok(Progress::read(tx, organization).await?.seq == REMOVED)
}

impl Progress {
    async fn read(tx: &mut Tx, organization: OrgId) -> Result<Self> {
        let sql = "SELECT seq, removals FROM search_progress WHERE organization = $1";
        let found: Option<(i64, i64)> = tx.query_opt(sql, &[&organization.uuid()]).await?;
        Ok(found.map_or_else(Self::default, |(seq, removals)| Self { seq, removals }))
    }
}

/// Invalidates the steps that are found out but not written yet: they may have what this write takes out of the index.
pub(super) async fn note_removal(tx: &mut Tx, organization: OrgId) -> Result<()> {
    let sql = "INSERT INTO search_progress (organization, seq, removals) VALUES ($1, 0, 1)
        ON CONFLICT (organization) DO UPDATE SET removals = search_progress.removals + 1";
    Ok(tx.send(sql, &[&organization.uuid()]).await?)
}

/// Up to `limit` organizations whose index is behind their journal, each with by how many entries: in the order of their ids,
/// those after `after`.
#[boxed]
pub async fn organizations_behind(
    tx: &mut Tx,
    after: Option<OrgId>,
    limit: i64,
) -> Result<Vec<(OrgId, i64)>> {
    let sql = "SELECT head.organization, head.seq - COALESCE(done.seq, 0) FROM organization_head AS head
        LEFT JOIN search_progress AS done ON done.organization = head.organization
        WHERE head.organization > $1 AND head.seq > COALESCE(done.seq, 0)
        ORDER BY head.organization LIMIT $2";
    // No organization has the id with zeros only.
    let after = after.map_or(Uuid::nil(), OrgId::uuid);
    let rows: Vec<(Uuid, i64)> = tx.query(sql, &[&after, &limit]).await?;
    Ok(rows.into_iter().map(|(id, behind)| (OrgId(id), behind)).collect())
}

/// What up to `most` entries after those that the index has change in it. None if only a write finds it out: documents get their
/// numbers there.
#[boxed]
pub async fn step(tx: &mut Tx, organization: OrgId, most: i64) -> Result<Option<Step>> {
    let after = Progress::read(tx, organization).await?;
    if after.seq == REMOVED {
        return Ok(None);
    }
    let entries = entries(tx, organization, after, most).await?;
    let is_of_document = |entry: &Entry| entry.is_of(SearchKind::Document);
    match entries.iter().any(is_of_document) {
        true => Ok(None),
        false => Ok(Some(step_of(tx, organization, after, &entries).await?)),
    }
}

/// Brings the index up to date with up to `most` entries after those that it has: by the step that was found out, if nothing was
/// written to the index since. In a write of the organization, so nothing changes meanwhile.
#[boxed]
pub async fn follow(tx: &mut Tx, organization: OrgId, most: i64, known: Option<&Step>) -> Result<Followed> {
    let after = Progress::read(tx, organization).await?;
    if after.seq == REMOVED {
        return remove_some(tx, organization).await;
    }
    let found;
    let step = match known.filter(|step| step.after == after) {
        Some(step) => step,
        None => {
            let entries = entries(tx, organization, after, most).await?;
            found = step_of(tx, organization, after, &entries).await?;
            &found
        }
    };
    if step.followed.is_done {
        return Ok(step.followed);
    }
    for change in &step.changes {
        change.write(tx, organization).await?;
    }
    let sql = "INSERT INTO search_progress (organization, seq, removals) VALUES ($1, $2, 0)
        ON CONFLICT (organization) DO UPDATE SET seq = excluded.seq";
    tx.send(sql, &[&organization.uuid(), &step.followed.seq]).await?;
    Ok(step.followed)
}

/// An entry of the journal: its number, and what it is about.
struct Entry {
    seq: i64,
    subject_kind: String,
    subject_id: String,
}

impl FromRow for Entry {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self { seq: row.get(0)?, subject_kind: row.get(1)?, subject_id: row.get(2)? })
    }
}

impl Entry {
    fn is_of(&self, kind: SearchKind) -> bool {
        self.subject_kind == kind.as_str()
    }
}

async fn entries(tx: &mut Tx, organization: OrgId, after: Progress, most: i64) -> Result<Vec<Entry>> {
    let sql = "SELECT seq, subject_kind, subject_id FROM journal_entry
        WHERE organization = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    Ok(tx.query(sql, &[&organization.uuid(), &after.seq, &most]).await?)
}

/// What these entries change. In a write, if they are about documents.
async fn step_of(tx: &mut Tx, organization: OrgId, after: Progress, entries: &[Entry]) -> Result<Step> {
    let mut changes = Vec::new();
    for kind in SearchKind::ALL {
        let of_kind = entries.iter().filter(|entry| entry.is_of(*kind));
        let ids: BTreeSet<&str> = of_kind.map(|entry| entry.subject_id.as_str()).collect();
        let numbers = match kind {
            SearchKind::Document => document_numbers(tx, organization, &ids).await?,
            SearchKind::Incident | SearchKind::Risk => ids.into_iter().filter_map(number_in).collect(),
        };
        changes.push(Change::of(tx, organization, *kind, &numbers).await?);
    }
    let seq = entries.last().map_or(after.seq, |entry| entry.seq);
    Ok(Step {
        after,
        followed: Followed { seq, entries: entries.len(), is_done: entries.is_empty() },
        changes,
    })
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
    let find = format!(
        "SELECT number FROM search_record WHERE organization = $1 AND noun = 'document'
           AND id IN (SELECT wanted.item FROM {})",
        wanted_texts(tx.engine(), "$2")
    );
    let numbers: Vec<(i64,)> =
        tx.query(&find, &[&organization, &serde_json::json!(slugs).to_string()]).await?;
    Ok(numbers.into_iter().map(|(number,)| number).collect())
}

/// Lets [`follow`] remove the index and make it again from the first entry.
#[boxed]
pub async fn clear(tx: &mut Tx, organization: OrgId) -> Result<()> {
    let sql = "INSERT INTO search_progress (organization, seq, removals) VALUES ($1, $2, 0)
        ON CONFLICT (organization) DO UPDATE SET seq = excluded.seq";
    Ok(tx.send(sql, &[&organization.uuid(), &REMOVED]).await?)
}

/// Removes some of an index that is to be made again. Once nothing is left, it is one that has followed no entry.
async fn remove_some(tx: &mut Tx, organization: OrgId) -> Result<Followed> {
    let organization = organization.uuid();
    let followed = Followed { seq: 0, entries: 0, is_done: false };
    for (table, key) in
        [("search_word", "noun, restricted, span, word, block"), ("search_record", "noun, number")]
    {
        let sql = format!(
            "DELETE FROM {table} WHERE organization = $1 AND ({key}) IN
                 (SELECT {key} FROM {table} WHERE organization = $1 ORDER BY {key} LIMIT $2)"
        );
        if tx.execute(&sql, &[&organization, &ROWS]).await? > 0 {
            return Ok(followed);
        }
    }
    tx.send("UPDATE search_progress SET seq = 0 WHERE organization = $1", &[&organization]).await?;
    Ok(followed)
}

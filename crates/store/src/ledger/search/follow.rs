//! Following the journal: the index learns what entries say has changed, in steps of a bounded size.

use std::collections::{BTreeMap, BTreeSet};

use db::{FromRow, Param, Row, Tx};
use domain::OrgId;
use domain::search::SearchKind;
use domain::undo::is_of_part;
use macros::boxed;
use uuid::Uuid;

use super::documents::{self, DOCUMENT_OF_ENTRY};
use super::index::Change;
use super::progress::{Progress, note_removal};
use super::unit::Unit;
use super::{due, parts, sizes};
use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::journal::number_in;

/// Rows that one write removes of an index that is to be made again.
const ROWS: i64 = 2_000;

/// Bytes of text that a step is about, unless a single unit has more. Their words are written in some 50 ms at worst, for which
/// other writes wait.
pub const STEP_BYTES: i64 = 64 * 1024;

/// Documents that a step is about at most: how long their texts are is found out in the write.
const DOCUMENTS: usize = 8;

/// Units that a step takes of those that are due.
const DUE: i64 = 128;

/// Stands for the entry of an index that is being removed: [`follow`] removes the rest of it before it begins again.
const REMOVED: i64 = -1;

/// How far an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Followed {
    /// The entry up to which it has every change.
    pub seq: i64,
    /// How many entries that were, or units that were due.
    pub entries: usize,
    /// Whether it had every change before.
    pub is_done: bool,
}

/// What is to be written next. It is found out in a read, so that others wait for the writing alone.
#[derive(Debug)]
pub struct Step {
    /// What it follows; of an index that has been written since, it says nothing.
    after: Progress,
    followed: Followed,
    changes: Vec<Change>,
    /// The units that were due and are not any more.
    done: BTreeMap<SearchKind, BTreeSet<Unit>>,
    /// Those that are due from now on.
    due: BTreeMap<SearchKind, BTreeSet<Unit>>,
}

/// Whether the index is being removed, to be made again, or has units that are due.
pub(crate) async fn is_unsettled(tx: &mut Tx, organization: OrgId) -> Result<bool> {
    let is_removed = Progress::read(tx, organization).await?.seq == REMOVED;
    Ok(is_removed || !due::first(tx, organization, 1).await?.is_empty())
}

/// Up to `limit` organizations whose index is behind their journal, each with by how many entries, or has units that are due: in
/// the order of their ids, those after `after`.
#[boxed]
pub async fn organizations_behind(
    tx: &mut Tx,
    after: Option<OrgId>,
    limit: i64,
) -> Result<Vec<(OrgId, i64)>> {
    let sql = "SELECT head.organization, head.seq - COALESCE(done.seq, 0) FROM organization_head AS head
        LEFT JOIN search_progress AS done ON done.organization = head.organization
        WHERE head.organization > $1 AND (head.seq > COALESCE(done.seq, 0)
            OR EXISTS (SELECT 1 FROM search_due AS due WHERE due.organization = head.organization))
        ORDER BY head.organization LIMIT $2";
    // No organization has the id with zeros only.
    let after = after.map_or(Uuid::nil(), OrgId::uuid);
    let rows: Vec<(Uuid, i64)> = tx.query(sql, &[&after, &limit]).await?;
    Ok(rows.into_iter().map(|(id, behind)| (OrgId(id), behind)).collect())
}

/// What up to `most` entries after those that the index has change in it, or units that are due. None if only a write finds it
/// out: documents get their numbers there.
#[boxed]
pub async fn step(tx: &mut Tx, organization: OrgId, most: i64) -> Result<Option<Step>> {
    let after = Progress::read(tx, organization).await?;
    if after.seq == REMOVED {
        return Ok(None);
    }
    if let Some(step) = step_of_due(tx, organization, after).await? {
        return Ok(Some(step));
    }
    let entries = entries(tx, organization, after, most).await?;
    match entries.iter().any(|entry| entry.document.is_some()) {
        true => Ok(None),
        false => Ok(Some(step_of(tx, organization, after, entries).await?)),
    }
}

/// Brings the index up to date with up to `most` entries after those that it has, or with units that are due: by the step that
/// was found out, if nothing was written to the index since. In a write of the organization, so nothing changes meanwhile.
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
            found = match step_of_due(tx, organization, after).await? {
                Some(step) => step,
                None => {
                    let entries = entries(tx, organization, after, most).await?;
                    step_of(tx, organization, after, entries).await?
                }
            };
            &found
        }
    };
    if step.followed.is_done {
        return Ok(step.followed);
    }
    for change in &step.changes {
        change.write(tx, organization).await?;
    }
    for (kind, units) in &step.done {
        due::done(tx, organization, *kind, units).await?;
    }
    for (kind, units) in &step.due {
        due::add(tx, organization, *kind, units).await?;
    }
    if !step.done.is_empty() {
        note_removal(tx, organization).await?;
    }
    let sql = "INSERT INTO search_progress (organization, seq, removals) VALUES ($1, $2, 0)
        ON CONFLICT (organization) DO UPDATE SET seq = excluded.seq";
    tx.send(sql, &[&organization.uuid(), &step.followed.seq]).await?;
    Ok(step.followed)
}

/// An entry of the journal: its number, and what it is about.
struct Entry {
    seq: i64,
    kind: String,
    subject_kind: String,
    subject_id: String,
    /// The slug of the document that it is about, itself or by a proposal.
    document: Option<String>,
}

impl FromRow for Entry {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self {
            seq: row.get(0)?,
            kind: row.get(1)?,
            subject_kind: row.get(2)?,
            subject_id: row.get(3)?,
            document: row.get(4)?,
        })
    }
}

impl Entry {
    /// The number of the record whose own texts it may have changed.
    fn own(&self, kind: SearchKind) -> Option<i64> {
        let is_own = self.subject_kind == kind.as_str() && !is_of_part(&self.kind);
        is_own.then(|| number_in(&self.subject_id)).flatten()
    }
}

async fn entries(tx: &mut Tx, organization: OrgId, after: Progress, most: i64) -> Result<Vec<Entry>> {
    let sql = format!(
        "SELECT e.seq, e.kind, e.subject_kind, e.subject_id, {DOCUMENT_OF_ENTRY} FROM journal_entry AS e
         WHERE e.organization = $1 AND e.seq > $2 ORDER BY e.seq LIMIT $3"
    );
    Ok(tx.query(&sql, &[&organization.uuid(), &after.seq, &most]).await?)
}

/// What the units that are due change; none if there are none.
async fn step_of_due(tx: &mut Tx, organization: OrgId, after: Progress) -> Result<Option<Step>> {
    let (mut bytes, mut done) = (0, BTreeMap::<SearchKind, BTreeSet<Unit>>::new());
    for due in due::first(tx, organization, DUE).await? {
        bytes += due.bytes;
        if bytes > STEP_BYTES && !done.is_empty() {
            break;
        }
        done.entry(due.kind).or_default().insert(due.unit);
    }
    if done.is_empty() {
        return Ok(None);
    }
    let entries = done.values().map(BTreeSet::len).sum();
    let followed = Followed { seq: after.seq, entries, is_done: false };
    let mut step = Step { after, followed, changes: Vec::new(), done, due: BTreeMap::new() };
    for (kind, units) in step.done.clone() {
        step.add(tx, organization, kind, &units).await?;
    }
    Ok(Some(step))
}

/// What the first of these entries change: as many as the bytes of a step allow. In a write, if they are about documents.
async fn step_of(tx: &mut Tx, organization: OrgId, after: Progress, mut entries: Vec<Entry>) -> Result<Step> {
    let mut slugs = BTreeSet::new();
    let few = entries.iter().take_while(|entry| {
        slugs.extend(entry.document.clone());
        slugs.len() <= DOCUMENTS
    });
    entries.truncate(few.count());
    let last = entries.last().map_or(after.seq, |entry| entry.seq);
    let parts_of = sizes::parts(tx, organization, (after.seq, last)).await?;
    let mut own = BTreeMap::new();
    for kind in [SearchKind::Incident, SearchKind::Risk] {
        let numbers: BTreeSet<i64> = entries.iter().filter_map(|entry| entry.own(kind)).collect();
        own.insert(kind, sizes::own(tx, organization, kind, numbers).await?);
    }
    let of_documents = entries.iter().filter_map(|entry| entry.document.as_ref()).collect();
    let of_documents = documents::bytes(tx, organization, &of_documents).await?;
    let mut units = BTreeMap::<SearchKind, BTreeSet<Unit>>::new();
    let (mut bytes, mut count, mut slugs) = (0, 0, BTreeSet::new());
    for entry in &entries {
        let of_parts = parts_of.get(&entry.seq).into_iter().flatten();
        let mut changed: Vec<(SearchKind, Unit, i64)> =
            of_parts.map(|(unit, bytes)| (SearchKind::Incident, *unit, *bytes)).collect();
        for (kind, sizes) in &own {
            let number = entry
                .own(*kind)
                .filter(|number| units.get(kind).is_none_or(|known| !known.contains(&Unit::own(*number))));
            let size = |number| sizes.get(&number).copied().unwrap_or_default();
            changed.extend(number.map(|number| (*kind, Unit::own(number), size(number))));
        }
        let document = entry.document.as_ref().filter(|slug| !slugs.contains(*slug));
        let of_document = document.and_then(|slug| of_documents.get(slug)).copied().unwrap_or_default();
        let added = of_document + changed.iter().map(|(_, _, bytes)| bytes).sum::<i64>();
        bytes += added;
        if added > 0 && bytes > STEP_BYTES && count > 0 {
            break;
        }
        count += 1;
        for (kind, unit, _) in changed {
            units.entry(kind).or_default().insert(unit);
        }
        slugs.extend(document.cloned());
    }
    entries.truncate(count);
    let seq = entries.last().map_or(after.seq, |entry| entry.seq);
    let followed = Followed { seq, entries: entries.len(), is_done: entries.is_empty() };
    let mut step = Step { after, followed, changes: Vec::new(), done: BTreeMap::new(), due: BTreeMap::new() };
    if !slugs.is_empty() {
        let numbers = document_numbers(tx, organization, &slugs).await?;
        let mut all = parts::stored_parts(tx, organization, SearchKind::Document, &numbers).await?;
        all.extend(parts::present_parts(tx, organization, SearchKind::Document, &numbers).await?);
        all.extend(numbers.into_iter().map(Unit::own));
        units.insert(SearchKind::Document, all);
    }
    for (kind, units) in units {
        step.add(tx, organization, kind, &units).await?;
    }
    Ok(step)
}

impl Step {
    /// Adds what these units change. The parts of records that come into the index, leave it, or change between its halves are
    /// due then.
    async fn add(
        &mut self,
        tx: &mut Tx,
        organization: OrgId,
        kind: SearchKind,
        units: &BTreeSet<Unit>,
    ) -> Result<()> {
        let change = Change::of(tx, organization, kind, units).await?;
        if !change.moved.is_empty() {
            let mut due = parts::stored_parts(tx, organization, kind, &change.moved).await?;
            due.extend(sizes::parts_before(tx, organization, &change.moved, self.after.seq).await?);
            // What is done in this step is not due after it.
            let due: BTreeSet<Unit> = due.difference(units).copied().collect();
            if !due.is_empty() {
                self.due.entry(kind).or_default().extend(due);
            }
        }
        self.changes.push(change);
        Ok(())
    }
}

/// The numbers that the index gives these documents, which keep them.
async fn document_numbers(tx: &mut Tx, organization: OrgId, slugs: &BTreeSet<String>) -> Result<Vec<i64>> {
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

/// The tables of the index, with the rest of their keys.
const TABLES: [(&str, &str); 5] = [
    ("search_word", "noun, restricted, span, word, block"),
    ("search_part_word", "noun, number, restricted, word"),
    ("search_due", "noun, number, part"),
    ("search_part", "noun, number, part"),
    ("search_record", "noun, number"),
];

/// Removes some of an index that is to be made again. Once nothing is left, it is one that has followed no entry.
async fn remove_some(tx: &mut Tx, organization: OrgId) -> Result<Followed> {
    let organization = organization.uuid();
    let followed = Followed { seq: 0, entries: 0, is_done: false };
    for (table, key) in TABLES {
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

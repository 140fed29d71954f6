//! Undoing a request: each record that it changed becomes what it was before, unless it was changed again.
//!
//! What a request changed in many records is undone in several writes, as it was changed, so that others need not wait. The
//! records are read and written in batches, so the number of statements does not grow with each record, and the memory is
//! that of one batch.

mod batch;
pub(crate) mod continued;
mod kind;
mod records;
mod search;
mod states;
mod tag_records;
mod tags;

use std::collections::HashMap;

use db::Tx;
use domain::undo::{UndoOutcome, UndoResult};
use domain::{Author, Error, OrgId, ResourceKind};

pub(crate) use batch::undo_all;
pub(crate) use kind::{UndoableKind, undoable};
pub(crate) use records::Undoable;
use search::RequestEntry;
pub use search::Search;
pub(crate) use tag_records::TAG_RECORDS;

use crate::ledger::access;
use crate::ledger::bulk::cost::{self, Texts};
use crate::ledger::error::Result;
use crate::ledger::journal::number_in;
use crate::ledger::records::Registry;

/// A record that the request changed, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoneRecord {
    /// The kind of record, such as `incident`.
    pub record_type: String,
    /// The id of the record, as the API shows it.
    pub id: String,
    /// What became of it; none of an incident that the author does not see any more.
    pub result: Option<UndoResult>,
}

/// Undoes what a request did to the records after the first `done`, as [`crate::undo::undo`] says.
pub(crate) async fn undo(
    tx: &mut Tx,
    registry: &Registry,
    organization: OrgId,
    author: &Author,
    search: &Search,
    done: usize,
) -> Result<Vec<UndoneRecord>> {
    let found = search.found(tx, done == 0)?;
    access::require(tx, organization, author, found.scopes).await?;
    let mut records = found.next(done);
    let fitting = fitting(tx, registry, organization, &records).await?;
    records.truncate(fitting);
    let before = records.first().map_or(0, |record| record.before);
    let request = Request { organization, author, before };
    hide_unseen(tx, registry, organization, author, &mut records).await?;
    let head = tx.head(organization)?.seq;
    for kind in registry.undoable {
        (kind.undo)(tx, &request, &mut records).await?;
    }
    if done > 0 && tx.head(organization)?.seq > head {
        continued::note(tx, organization, head + 1, search.head()).await?;
    }
    Ok(records.into_iter().map(ChangedRecord::into_result).collect())
}

/// The numbers of those of these records that are of a kind.
fn numbers_of(kind: &str, records: &[ChangedRecord]) -> Vec<i64> {
    records.iter().filter(|it| it.record_type == kind).filter_map(|it| number_in(&it.id)).collect()
}

/// How many of these records, from the first on, one write undoes: some may be deleted by it.
async fn fitting(
    tx: &mut Tx,
    registry: &Registry,
    organization: OrgId,
    records: &[ChangedRecord],
) -> Result<usize> {
    let mut costs = HashMap::new();
    for kind in registry.undoable {
        let of_kind = records.iter().filter(|it| it.record_type == kind.name);
        let ids: Vec<&str> = of_kind.map(|it| it.id.as_str()).collect();
        if !ids.is_empty() {
            costs.insert(kind.name, (kind.costs)(tx, organization, &ids).await?);
        }
    }
    let cost = |it: &ChangedRecord| costs.get(it.record_type.as_str())?.get(&it.id).copied();
    Ok(cost::fitting(records.iter().map(cost), cost::MOST_OF_A_PART))
}

/// What it costs to write each of these records, which may be deleted.
pub(crate) async fn costs<R: Undoable>(
    tx: &mut Tx,
    organization: OrgId,
    ids: &[&str],
) -> Result<HashMap<String, i64>> {
    let numbers: Vec<i64> = ids.iter().filter_map(|id| number_in(id)).collect();
    let costs = cost::of::<R>(tx, organization, &numbers, Texts::Written).await?;
    let cost = |id: &&str| Some(((*id).to_owned(), *costs.get(&number_in(id)?)?));
    Ok(ids.iter().filter_map(cost).collect())
}

/// Leaves the records as they are that the author does not see any more: for the author they do not exist.
async fn hide_unseen(
    tx: &mut Tx,
    registry: &Registry,
    organization: OrgId,
    author: &Author,
    records: &mut [ChangedRecord],
) -> Result<()> {
    for kind in registry.undoable {
        let unseen = (kind.unseen)(tx, organization, author, &numbers_of(kind.name, records)).await?;
        for record in records.iter_mut().filter(|it| it.record_type == kind.name) {
            record.is_hidden = number_in(&record.id).is_some_and(|number| unseen.contains(&number));
        }
    }
    Ok(())
}

/// What became of the records that the author sees, each with its result. A request that changed no other does not exist.
pub fn told(records: &[UndoneRecord]) -> Result<Vec<(&UndoneRecord, &UndoResult)>> {
    let told: Vec<_> = records.iter().filter_map(|it| Some((it, it.result.as_ref()?))).collect();
    match told.is_empty() {
        true => Err(Error::NotFound(ResourceKind::Request).into()),
        false => Ok(told),
    }
}

/// How many of these records were undone.
pub fn undone_count(records: &[UndoneRecord]) -> usize {
    let results = records.iter().filter_map(|record| record.result.as_ref());
    results.filter(|result| result.outcome == UndoOutcome::Undone).count()
}

/// The request to undo.
pub(crate) struct Request<'a> {
    pub(crate) organization: OrgId,
    /// Who undoes it.
    pub(crate) author: &'a Author,
    /// The entry before the write that is undone.
    pub(crate) before: i64,
}

/// A record that the request has entries about.
#[derive(Debug, Clone)]
pub(crate) struct ChangedRecord {
    pub(crate) record_type: String,
    pub(crate) id: String,
    /// The entry before the first write of the request that changed it.
    before: i64,
    /// The request's latest entry about it.
    pub(crate) last_seq: i64,
    is_hidden: bool,
    /// What became of it; none as long as that is not known.
    pub(crate) result: Option<UndoResult>,
}

impl ChangedRecord {
    fn into_result(self) -> UndoneRecord {
        let Self { record_type, id, is_hidden, result, .. } = self;
        let result = (!is_hidden).then(|| result.unwrap_or_else(UndoResult::undone));
        UndoneRecord { record_type, id, result }
    }
}

/// The records that these entries are about, in the order of the first entry about each.
fn changed_records(entries: &[RequestEntry]) -> Vec<ChangedRecord> {
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut records: Vec<ChangedRecord> = Vec::new();
    let (mut at, mut before) = (None, 0);
    for entry in entries {
        // A write has one time, which no other write of the organization has.
        if at.replace(entry.at) != Some(entry.at) {
            before = entry.seq - 1;
        }
        let place = *places.entry((&entry.subject_kind, &entry.subject_id)).or_insert(records.len());
        if place == records.len() {
            let (record_type, id) = (entry.subject_kind.clone(), entry.subject_id.clone());
            let (last_seq, is_hidden, result) = (entry.seq, false, None);
            records.push(ChangedRecord { record_type, id, before, last_seq, is_hidden, result });
        }
        if let Some(record) = records.get_mut(place) {
            record.last_seq = entry.seq;
            record.result = record.result.take().or_else(|| UndoResult::of_kind(&entry.kind));
        }
    }
    records
}

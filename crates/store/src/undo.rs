//! Undoing a request: each record that it changed becomes what it was before, unless it was changed again.
//!
//! The records are read and written in batches, so the number of statements does not grow with each record, and the
//! memory is that of one batch.

mod batch;
mod records;
mod search;
mod states;
mod tags;

use std::collections::HashMap;

use db::Tx;
use domain::incident::{Incident, Viewer};
use domain::risk::Risk;
use domain::undo::{UndoOutcome, UndoResult, required_scope};
use domain::{Author, Error, OrgId, ResourceKind, Scopes};
use macros::boxed;

pub(crate) use records::Undoable;
use search::RequestEntry;
pub use search::Search;
pub(crate) use tags::TagChange;

use crate::error::Result;
use crate::records::number_in;
use crate::{access, incidents};

/// A record that the request changed, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoneRecord {
    /// The kind of record, such as `incident`.
    pub record_type: String,
    /// The id of the record, as the API shows it.
    pub id: String,
    /// What became of it.
    pub result: UndoResult,
}

/// Undoes the request that `search` has found. An author without the scopes of the request may not; a request that is
/// not found, or is too old by now, does not exist. A request with over 1,000 entries belongs into `Db::write_alone`.
#[boxed]
pub async fn undo(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    search: &Search,
) -> Result<Vec<UndoneRecord>> {
    let entries = search.finish(tx).await?;
    let scopes: Scopes = entries.iter().filter_map(|entry| required_scope(&entry.kind)).collect();
    access::require(tx, organization, author, scopes).await?;
    let request = Request { organization, author, before: entries.first().map_or(0, |entry| entry.seq - 1) };
    let mut changed = changed_records(&entries);
    leave_out_unseen(tx, organization, author, &mut changed).await?;
    batch::undo_all::<Incident>(tx, &request, &mut changed).await?;
    batch::undo_all::<Risk>(tx, &request, &mut changed).await?;
    Ok(changed.into_iter().map(ChangedRecord::into_result).collect())
}

/// Leaves out the incidents that the author does not see any more: for the author they do not exist.
async fn leave_out_unseen(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    changed: &mut Vec<ChangedRecord>,
) -> Result<()> {
    let number = |it: &ChangedRecord| (it.record_type == Incident::TYPE).then(|| number_in(&it.id)).flatten();
    let numbers: Vec<i64> = changed.iter().filter_map(number).collect();
    let unseen = incidents::unseen(tx, organization, &Viewer::of(author), &numbers).await?;
    changed.retain(|it| !number(it).is_some_and(|number| unseen.contains(&number)));
    if changed.is_empty() {
        return Err(Error::NotFound(ResourceKind::Request).into());
    }
    Ok(())
}

/// How many of these records were undone.
pub fn undone_count(records: &[UndoneRecord]) -> usize {
    records.iter().filter(|record| record.result.outcome == UndoOutcome::Undone).count()
}

/// The request to undo.
struct Request<'a> {
    organization: OrgId,
    /// Who undoes it.
    author: &'a Author,
    /// The entry before its first.
    before: i64,
}

/// A record that the request has entries about.
struct ChangedRecord {
    record_type: String,
    id: String,
    /// The request's latest entry about it.
    last_seq: i64,
    /// What became of it; none as long as that is not known.
    result: Option<UndoResult>,
}

impl ChangedRecord {
    fn into_result(self) -> UndoneRecord {
        let Self { record_type, id, result, .. } = self;
        UndoneRecord { record_type, id, result: result.unwrap_or_else(UndoResult::undone) }
    }
}

/// The records that these entries are about, in the order of the first entry about each.
fn changed_records(entries: &[RequestEntry]) -> Vec<ChangedRecord> {
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut records: Vec<ChangedRecord> = Vec::new();
    for entry in entries {
        let place = *places.entry((&entry.subject_kind, &entry.subject_id)).or_insert(records.len());
        if place == records.len() {
            let (record_type, id) = (entry.subject_kind.clone(), entry.subject_id.clone());
            records.push(ChangedRecord { record_type, id, last_seq: 0, result: None });
        }
        if let Some(record) = records.get_mut(place) {
            record.last_seq = entry.seq;
            record.result = record.result.take().or_else(|| UndoResult::of_kind(&entry.kind));
        }
    }
    records
}

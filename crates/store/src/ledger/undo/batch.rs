//! Undoing the changes of records of one kind, some hundred at a time.

use db::Tx;

use super::records::Undoable;
use super::states::{Change, States};
use super::{ChangedRecord, Request};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::record;
use crate::ledger::search;
use crate::ledger::tag_links::TagChange;

/// Records that are read and written at a time.
const BATCH: usize = 200;

/// Undoes the changes of all records of this kind.
pub(crate) async fn undo_all<R: Undoable>(
    tx: &mut Tx,
    request: &Request<'_>,
    changed: &mut [ChangedRecord],
) -> Result<()> {
    let is_one = |record: &&mut ChangedRecord| {
        record.record_type == R::TYPE && record.result.is_none() && !record.is_hidden
    };
    let mut all: Vec<_> = changed.iter_mut().filter(is_one).collect();
    for batch in all.chunks_mut(BATCH) {
        let ids: Vec<&str> = batch.iter().map(|record| record.id.as_str()).collect();
        let states = States::<R>::read(tx, request, &ids).await?;
        let mut changes = Vec::new();
        for record in batch {
            record.result = states.compare(record);
            if record.result.is_none() {
                changes.extend(states.change(record, tx.at()));
            }
        }
        write(tx, request, changes).await?;
    }
    Ok(())
}

/// Journals the changes and writes them. Each record has an entry for its fields, if they change, and one for each tag.
async fn write<R: Undoable>(tx: &mut Tx, request: &Request<'_>, changes: Vec<Change<R>>) -> Result<()> {
    let mut entries: Vec<New> = Vec::new();
    let mut rows: Vec<(R, usize)> = Vec::new();
    let mut tags: Vec<(i64, TagChange, usize)> = Vec::new();
    let mut deleted = Vec::new();
    for Change { number, fields, tags: of_record } in changes {
        if let Some(fields) = fields {
            if fields.entry_kind == R::ENTRIES.deleted {
                deleted.push(number);
            }
            rows.push((fields.after, entries.len()));
            entries.push(New {
                kind: fields.entry_kind,
                subject: R::subject(number),
                payload: fields.payload,
            });
        }
        for change in of_record {
            tags.push((number, change, entries.len()));
            entries.push(R::TAGS.entry(&number, change.tag, change.is_added));
        }
    }
    if entries.is_empty() {
        return Ok(());
    }
    let (organization, count) = (request.organization, number_of(entries.len()));
    let first = journal::append_all(tx, organization, request.author, entries).await? - count + 1;
    let begun = |(row, place): (R, usize)| (row.begun_by(first + number_of(place)), first + number_of(place));
    let rows: Vec<(R, i64)> = rows.into_iter().map(begun).collect();
    record::replace_all(tx, organization, &rows).await?;
    let tags: Vec<_> =
        tags.into_iter().map(|(number, change, place)| (number, change, first + number_of(place))).collect();
    R::TAGS.write_changes(tx, organization, &tags).await?;
    let numbers: Vec<i64> = rows.iter().map(|(row, _)| row.number()).collect();
    R::follow(tx, organization, request.author, &numbers).await?;
    if !deleted.is_empty() {
        search::hide(tx, organization, R::SEARCHED, &deleted).await?;
    }
    Ok(())
}

fn number_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

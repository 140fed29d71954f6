//! Deleting records and restoring them, whatever kind they are. A deleted record is in the trash, which
//! [`crate::ledger::housekeeping`] empties.

use std::collections::BTreeMap;

use db::{Param, Tx, Value};
use domain::record::Record as Described;
use domain::search::SearchKind;
use domain::time::format;
use domain::{Author, OrgId};
use jiff::Timestamp;

use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload, Subject};
use crate::ledger::record::Record;
use crate::ledger::search;

/// A record with a number, a history and a `deleted_date`.
pub(crate) trait Deletable: Record + Described {
    /// What searches call it.
    const SEARCHED: SearchKind;
    /// The entries that tell of it.
    const ENTRIES: Entries;
    /// The condition on a row that may be purged, to follow others.
    const PURGEABLE: &'static str = "";
    /// The tables with rows that belong to it, and their columns with its number. They are purged with it.
    const PARTS: &'static [(&'static str, &'static str)];

    /// The subject of its entries.
    fn subject(number: i64) -> Subject;

    /// Its columns with further texts than those that people write.
    const MORE_TEXTS: &'static [&'static str] = &[];
}

/// The kinds of entries about the trash.
pub(crate) struct Entries {
    /// A record was deleted.
    pub(crate) deleted: &'static str,
    /// It was restored.
    pub(crate) restored: &'static str,
    /// It was removed for good.
    pub(crate) purged: &'static str,
}

/// What happens to records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// They are deleted.
    Deleted,
    /// They are restored.
    Restored,
}

impl Mark {
    /// What becomes of `deleted_date`.
    pub(crate) fn deleted_date(self, at: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Deleted => Some(at),
            Self::Restored => None,
        }
    }
}

/// Records by number, each with its `deleted_date`.
pub(crate) type Marked = BTreeMap<i64, Option<Timestamp>>;

/// Those of `numbers` that `mark` applies to: for deleting, those that are not deleted.
pub(crate) async fn find<R: Deletable>(
    tx: &mut Tx,
    organization: OrgId,
    numbers: impl IntoIterator<Item = i64>,
    mark: Mark,
) -> Result<Marked> {
    let (table, wanted) = (R::TABLE, wanted_numbers(tx.engine()));
    let one = format!("FROM {table} AS r WHERE r.organization = $1 AND r.number = wanted.number");
    let numbers = numbers_parameter(numbers);
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    Ok(match mark {
        Mark::Deleted => {
            let sql = format!("SELECT (SELECT r.number {one} AND r.deleted_date IS NULL) FROM {wanted}");
            let rows: Vec<(Option<i64>,)> = tx.query(&sql, &params).await?;
            rows.into_iter().filter_map(|(number,)| Some((number?, None))).collect()
        }
        Mark::Restored => {
            let sql = format!("SELECT number, (SELECT r.deleted_date {one}) FROM {wanted}");
            let rows: Vec<(i64, Option<Timestamp>)> = tx.query(&sql, &params).await?;
            rows.into_iter().filter(|(_, deleted_date)| deleted_date.is_some()).collect()
        }
    })
}

/// Deletes or restores records that were read in this write, each with its own journal entry, by number. Returns the
/// number of the last entry. The number of statements does not depend on how many records there are.
pub(crate) async fn mark<R: Deletable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: &Marked,
    mark: Mark,
) -> Result<i64> {
    let (at, after) = (Value::Time(tx.at()), mark.deleted_date(tx.at()));
    let kind = match mark {
        Mark::Deleted => R::ENTRIES.deleted,
        Mark::Restored => R::ENTRIES.restored,
    };
    let entry = |(number, before): (&i64, &Option<Timestamp>)| {
        let payload = Payload::new().change("deleted_date", before.map(format), after.map(format));
        New { kind, subject: R::subject(*number), payload }
    };
    let last = journal::append_all(tx, organization, author, before.iter().map(entry).collect()).await?;
    let first = last + 1 - i64::try_from(before.len()).unwrap_or(i64::MAX);
    let of = organization;
    let (organization, after) = (organization.uuid(), after.map_or(Value::Null, Value::Time));
    let rows: Vec<(&i64, i64)> = before.keys().zip(first..).collect();
    let ended: Vec<[&dyn Param; 3]> =
        rows.iter().map(|(number, seq)| -> [&dyn Param; 3] { [&organization, *number, seq] }).collect();
    let begun: Vec<[&dyn Param; 5]> = rows
        .iter()
        .map(|(number, seq)| -> [&dyn Param; 5] { [&organization, *number, seq, &after, &at] })
        .collect();
    tx.send_many(&R::statements().keep_history, &ended).await?;
    tx.send_many(&R::statements().mark_deleted, &begun).await?;
    if mark == Mark::Deleted {
        // What is restored is found again when the index has followed the journal.
        let numbers: Vec<i64> = before.keys().copied().collect();
        search::hide(tx, of, R::SEARCHED, &numbers).await?;
    }
    Ok(last)
}

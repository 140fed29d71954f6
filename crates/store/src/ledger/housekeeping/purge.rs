//! Emptying the trash: purging records that were deleted at least `trash_days` ago.
//!
//! A purged record is gone for good, from the present and from the past. Only its journal entries remain, without
//! payloads (who did what when), and one more entry with its dates.

use std::marker::PhantomData;

use db::{FromRow, Param, Row, Tx};
use domain::organization::purged_before;
use domain::time::format;
use domain::{Author, Error, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;

use super::Taken;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};
use crate::ledger::record::{Reader, Record, Role};
use crate::ledger::records::page::Outcome;
use crate::ledger::search;
use crate::ledger::trash::Deletable;

/// At most so many records are purged in one write.
const MOST_RECORDS: i64 = 20;

/// And only so many that they have at most so many journal entries together, unless it is one alone:
/// what a record leaves behind grows with its entries.
const MOST_ENTRIES: i64 = 100;

/// The deleted records of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Trash {
    name: &'static str,
    table: &'static str,
    /// The condition on a record that may be purged.
    purgeable: &'static str,
    purge: for<'t> fn(&'t mut Tx, OrgId, &'t Author) -> Outcome<'t, Taken>,
}

impl Trash {
    /// That of a kind of record, in the registry.
    pub(crate) const fn of<R: Deletable + 'static>(name: &'static str) -> Self {
        Self {
            name,
            table: R::TABLE,
            purgeable: R::PURGEABLE,
            purge: |tx, of, by| Box::pin(purge_some::<R>(tx, of, by)),
        }
    }

    /// The name, as it is measured and logged.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The statement that looks at `$2` organizations after `$1`, also for the test that holds it
    /// against the indexes.
    #[doc(hidden)]
    pub fn statement(self) -> String {
        let Self { table, purgeable, .. } = self;
        format!(
            "SELECT id, trash_days,
                    (SELECT deleted_date FROM {table}
                     WHERE {table}.organization = organization.id AND deleted_date IS NOT NULL{purgeable}
                     ORDER BY deleted_date LIMIT 1)
             FROM organization WHERE id > $1 ORDER BY id LIMIT $2"
        )
    }
}

impl PartialEq for Trash {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Trash {}

/// Purges some of an organization's records that have been in the trash for its `trash_days`, the first
/// deleted first, each with its own journal entry. For [`db::Db::write_alone`].
#[boxed]
pub async fn purge(tx: &mut Tx, organization: OrgId, author: &Author, trash: Trash) -> Result<Taken> {
    (trash.purge)(tx, organization, author).await
}

/// The head is held and the records are read in this write, so none can be restored meanwhile.
async fn purge_some<R: Deletable>(tx: &mut Tx, organization: OrgId, author: &Author) -> Result<Taken> {
    let Some(before) = purged_before_now(tx, organization).await? else {
        return Ok(Taken::default());
    };
    let org = organization.uuid();
    let mut records: Vec<Due<R>> = tx.query(&due::<R>(), &[&org, &before, &(MOST_RECORDS + 1)]).await?;
    let (found, fitting) = (records.len(), fitting(&records));
    records.truncate(fitting);
    if records.is_empty() {
        return Ok(Taken::default());
    }
    let rows: Vec<[&dyn Param; 2]> =
        records.iter().map(|record| -> [&dyn Param; 2] { [&org, &record.number] }).collect();
    let (table, history) = (R::TABLE, format!("{}_history", R::TABLE));
    for (table, number) in R::PARTS.iter().copied().chain([(history.as_str(), "number"), (table, "number")]) {
        let delete = format!("DELETE FROM {table} WHERE organization = $1 AND {number} = $2");
        tx.execute_many(&delete, &rows).await?;
    }
    let numbers: Vec<i64> = records.iter().map(|record| record.number).collect();
    search::remove(tx, organization, R::SEARCHED, &numbers).await?;
    let subjects: Vec<_> = numbers.into_iter().map(R::subject).collect();
    journal::erase(tx, organization, &subjects).await?;
    let entry = |Due { number, remains, .. }| New {
        kind: R::ENTRIES.purged,
        subject: R::subject(number),
        payload: remains,
    };
    journal::append_all(tx, organization, author, records.into_iter().map(entry).collect()).await?;
    Ok(Taken { count: u64::try_from(fitting).unwrap_or(u64::MAX), more: fitting < found })
}

/// What was deleted at this moment or before is to be purged now; none when nothing ever is.
async fn purged_before_now(tx: &mut Tx, organization: OrgId) -> Result<Option<Timestamp>> {
    let sql = "SELECT trash_days FROM organization WHERE id = $1";
    let found: Option<(i64,)> = tx.query_opt(sql, &[&organization.uuid()]).await?;
    let (trash_days,) = found.ok_or(Error::NotFound(ResourceKind::Organization))?;
    Ok(purged_before(tx.at(), trash_days))
}

/// A record that is to be purged.
struct Due<R> {
    number: i64,
    /// Its journal entries, near enough.
    entries: i64,
    /// What is to be left of it: its dates.
    remains: Payload,
    of: PhantomData<fn() -> R>,
}

impl<R: Deletable> FromRow for Due<R> {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let row = &mut Reader::new(row);
        let (number, entries) = (row.next()?, row.next()?);
        let mut remains = Payload::new();
        for date in dates::<R>() {
            remains = remains.gone(date, row.next::<Option<Timestamp>>()?.map(format));
        }
        Ok(Self { number, entries, remains, of: PhantomData })
    }
}

/// Selects up to `$3` records that were deleted at `$2` or before.
fn due<R: Deletable>() -> String {
    let table = R::TABLE;
    // Each version has its entry, and so have nearly all rows of its parts.
    let entries = R::PARTS.iter().fold("version".to_owned(), |entries, (part, number)| {
        format!(
            "{entries} + (SELECT count(*) FROM {part} AS part
                          WHERE part.organization = {table}.organization AND part.{number} = {table}.number)"
        )
    });
    let (dates, purgeable) = (dates::<R>().collect::<Vec<_>>().join(", "), R::PURGEABLE);
    format!(
        "SELECT number, {entries}, {dates} FROM {table}
         WHERE organization = $1 AND deleted_date IS NOT NULL AND deleted_date <= $2{purgeable}
         ORDER BY deleted_date, number LIMIT $3"
    )
}

/// The moments of a record, without those that each change moves: the first is when it was made. The day of a next review
/// is a plan.
fn dates<R: Record>() -> impl Iterator<Item = &'static str> {
    let of = |role| R::statements().fields.iter().filter(move |field| field.role == role);
    let fields = of(Role::Fixed).chain(of(Role::Journaled));
    fields.map(|field| field.name).filter(|name| name.ends_with("_date") && !name.starts_with("next_"))
}

/// How many of the first records fit into one write.
fn fitting<R>(records: &[Due<R>]) -> usize {
    let most = usize::try_from(MOST_RECORDS).unwrap_or(usize::MAX);
    let entries = records.iter().scan(0, |sum, record| {
        *sum += record.entries;
        Some(*sum)
    });
    let fitting = entries.take(most).take_while(|sum| *sum <= MOST_ENTRIES).count();
    fitting.max(1).min(records.len())
}

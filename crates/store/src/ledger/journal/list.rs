//! The journal as a list that is filtered and read in either direction.

use db::{Tx, Value};
use domain::OrgId;
use macros::boxed;

use super::entry::Entry;
use super::read::head;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select, Sort, TimeRange};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
use crate::ledger::view::View;

/// Which entries a list has. What is empty lets every entry through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryFilter {
    /// Entries about one of these kinds of records.
    pub subject_kind: Vec<&'static str>,
    /// Entries about a record with one of these ids.
    pub subject_id: Vec<String>,
    /// Entries of one of these actors, by id.
    pub actor: Vec<String>,
    /// Entries of one of these kinds.
    pub kind: Vec<&'static str>,
    /// Entries of this time.
    pub at: TimeRange,
}

domain::words! {
    "JournalSort"
    /// What journal entries can be sorted by.
    pub enum EntrySort {
        /// The number, which is the order of the changes.
        Seq = "seq",
    }
}

/// The oldest entry first.
impl Default for Sort<EntrySort> {
    fn default() -> Self {
        Self { by: EntrySort::Seq, direction: Direction::Ascending }
    }
}

impl EntryFilter {
    fn filters(&self) -> impl Iterator<Item = Filter<'_>> {
        let known = |column, names: &[&'static str]| {
            Filter::any_of(column, names.iter().map(|name| Value::from(*name)))
        };
        let filters = [
            known("subject_kind", &self.subject_kind),
            Filter::texts("subject_id", &self.subject_id),
            Filter::texts("actor_id", &self.actor),
            known("kind", &self.kind),
            Filter::times("at", self.at),
        ];
        filters.into_iter().flatten()
    }
}

/// Up to `limit` of these entries by number: those that follow the entry `after` in this direction.
#[boxed]
pub async fn page(
    tx: &mut Tx,
    organization: OrgId,
    filter: &EntryFilter,
    direction: Direction,
    after: Option<i64>,
    limit: i64,
) -> Result<Page<Entry>> {
    let select = select(organization, filter).order(&["seq"], direction, after.map(Value::from));
    Ok(select.page(tx, limit).await?.map(|Stored(entry)| entry))
}

/// How many of these entries there are.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, filter: &EntryFilter) -> Result<i64> {
    if *filter == EntryFilter::default() {
        // They are numbered from 1 without gaps.
        return Ok(head(tx, organization).await?.seq);
    }
    select(organization, filter).count(tx).await
}

fn select(organization: OrgId, filter: &EntryFilter) -> Select<'_, Entry> {
    Select::of(organization, View::with_deleted()).filters(filter.filters())
}

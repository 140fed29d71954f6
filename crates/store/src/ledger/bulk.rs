//! Changing many records of a kind by one operation: each by the rules of a single change, and with its own journal entry.
//!
//! A call begins in a read ([`Bulk::BEGIN`]), which says which records are meant. What becomes of each is planned batch by
//! batch ([`Bulk::PLAN`]): for a dry run that is all, in a read, and a run writes what the same plan says. A run is made of
//! writes that are short enough for others not to wait ([`Bulk::APPLY_PART`]), or of one for all ([`Bulk::APPLY_WHOLE`]), which
//! is refused where others would wait too long.

pub(crate) mod call;
mod change;
pub(crate) mod cost;

use db::Tx;
use domain::bulk::{BulkOperation, ItemResult};
use domain::{Author, OrgId, RecordNumber};

pub use call::Call;
pub(crate) use change::tag_outcome;

use crate::ledger::error::Result;
use crate::ledger::records::page::Outcome;
use crate::ledger::undo::Undoable;

/// Which records are changed.
#[derive(Debug, Clone)]
pub enum Target<N, F> {
    /// Those with these ids, each once.
    Ids(Vec<N>),
    /// Those that the list with this filter has: at most 10,000.
    Filter(Box<F>),
}

impl<N, F> Target<N, F> {
    /// The filter, if one names them.
    pub fn filter(&self) -> Option<&F> {
        match self {
            Self::Ids(_) => None,
            Self::Filter(filter) => Some(filter),
        }
    }
}

/// How many writes a change of many records may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// Several short ones, between which others write.
    Several,
    /// One if others need not wait long for it, and otherwise several short ones.
    OneIfShort,
    /// One or none: nothing is changed if a rule forbids one of the changes, or if others would wait too long for it.
    One,
}

/// A change of many records with numbers `N`, which filters `F` find and a patch `P` changes.
#[derive(Debug, Clone)]
pub struct BulkChange<N, F, P> {
    /// Which records.
    pub target: Target<N, F>,
    /// What is done to each.
    pub operation: BulkOperation<P>,
    /// In how many writes.
    pub writes: Writes,
}

/// The change of many records of a kind.
pub type ChangeOf<R> = BulkChange<<R as Bulk>::Number, <R as Bulk>::Filter, <R as Bulk>::Patch>;

/// What became of each of some records of a kind.
pub type ResultsOf<R> = Vec<ItemResult<<R as Bulk>::Number>>;

/// A kind of record of which many can be changed at once.
pub trait Bulk: Sized + 'static {
    /// The number of a record.
    type Number: RecordNumber + Send + Sync + 'static;
    /// Which records a list has.
    type Filter: Send + Sync + 'static;
    /// A change of one.
    type Patch: Send + Sync + 'static;

    /// Which records are meant, in a read.
    const BEGIN: Begin<Self>;
    /// What would become of the next of these records after the first so many, in a read or a write.
    const PLAN: Batch<Self>;
    /// Changes as many of the records after the first so many as one write may; what became of each. From the second write on,
    /// an author who has lost a right fails for all the others. Belongs into `Db::write_alone`.
    const APPLY_PART: Batch<Self>;
    /// Changes all of them, or none if a rule forbids one of the changes. Belongs into `Db::write_alone`.
    const APPLY_WHOLE: Whole<Self>;
}

type CallOf<R> = Call<<R as Bulk>::Number>;
pub(crate) type Begin<R> =
    for<'t> fn(&'t mut Tx, OrgId, &'t Author, &'t ChangeOf<R>) -> Outcome<'t, CallOf<R>>;
pub(crate) type Batch<R> = for<'t> fn(
    &'t mut Tx,
    OrgId,
    &'t Author,
    &'t ChangeOf<R>,
    &'t CallOf<R>,
    usize,
) -> Outcome<'t, ResultsOf<R>>;
pub(crate) type Whole<R> =
    for<'t> fn(&'t mut Tx, OrgId, &'t Author, &'t ChangeOf<R>, &'t CallOf<R>) -> Outcome<'t, ResultsOf<R>>;

/// What [`Bulk`] needs to know about a kind of record.
pub(crate) trait Changeable: Undoable + Bulk {
    /// What a change depends on, whichever record it changes.
    type Facts;
    /// What several are called in a sentence.
    const PLURAL: &'static str;

    /// Whether the author may see it.
    fn is_seen(&self, author: &Author) -> bool;

    /// The numbers of the first `limit` that a filter lets through, of those that the author sees.
    async fn numbers(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        filter: &Self::Filter,
        limit: i64,
    ) -> Result<Vec<i64>>;

    /// What this change depends on.
    async fn facts(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        patch: &Self::Patch,
    ) -> Result<Self::Facts>;

    /// What becomes of each of these records by the patch, in their order; nothing of one that is so already.
    ///
    /// What becomes of one does not depend on what becomes of another of the same call: all get the same patch, and the one
    /// record that a patch can name, the original of duplicates, is refused among them, with all that stand for it.
    async fn patched(
        tx: &mut Tx,
        organization: OrgId,
        found: &[Self],
        patch: &Self::Patch,
        facts: &Self::Facts,
    ) -> Result<Vec<domain::Result<Option<Self>>>>;
}

/// Implements [`Bulk`] for a [`Changeable`] record: its futures can be sent to another thread only where the record is known.
macro_rules! bulk {
    ($record:ty, $number:ty, $filter:ty, $patch:ty) => {
        impl $crate::ledger::bulk::Bulk for $record {
            type Number = $number;
            type Filter = $filter;
            type Patch = $patch;

            const BEGIN: $crate::ledger::bulk::Begin<Self> = |tx, organization, author, bulk| {
                Box::pin($crate::ledger::bulk::call::begin::<Self>(tx, organization, author, bulk))
            };
            const PLAN: $crate::ledger::bulk::Batch<Self> = |tx, organization, author, bulk, call, done| {
                Box::pin($crate::ledger::bulk::call::plan::<Self>(
                    tx,
                    organization,
                    author,
                    bulk,
                    (call, done),
                ))
            };
            const APPLY_PART: $crate::ledger::bulk::Batch<Self> =
                |tx, organization, author, bulk, call, done| {
                    Box::pin($crate::ledger::bulk::call::apply_part::<Self>(
                        tx,
                        organization,
                        author,
                        bulk,
                        (call, done),
                    ))
                };
            const APPLY_WHOLE: $crate::ledger::bulk::Whole<Self> = |tx, organization, author, bulk, call| {
                Box::pin($crate::ledger::bulk::call::apply_whole::<Self>(
                    tx,
                    organization,
                    author,
                    bulk,
                    call,
                ))
            };
        }
    };
}

pub(crate) use bulk;

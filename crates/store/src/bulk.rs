//! Changing many records of a kind by one operation: each by the rules of a single change, and with its own journal entry.

mod change;

use db::Tx;
use domain::bulk::{BulkOperation, ItemOutcome, ItemResult, MAX_IDS, all_or_nothing, distinct};
use domain::{Author, Error, FaultCode, OrgId, RecordNumber};

use change::Change;

use crate::error::Result;
use crate::undo::Undoable;

/// Records that are read and written at a time.
const BATCH: usize = 200;

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

/// A change of many records with numbers `N`, which filters `F` find and a patch `P` changes.
#[derive(Debug, Clone)]
pub struct BulkChange<N, F, P> {
    /// Which records.
    pub target: Target<N, F>,
    /// What is done to each.
    pub operation: BulkOperation<P>,
    /// Whether nothing is changed if a rule forbids one of the changes.
    pub is_atomic: bool,
}

/// A kind of record of which many can be changed at once.
pub(crate) trait Changeable: Undoable {
    /// The number of a record.
    type Number: RecordNumber;
    /// Which records a list has.
    type Filter;
    /// A change of one.
    type Patch;
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
    async fn apply(
        tx: &mut Tx,
        organization: OrgId,
        found: &[Self],
        patch: &Self::Patch,
        facts: &Self::Facts,
    ) -> Result<Vec<domain::Result<Option<Self>>>>;
}

/// The change of many records of a kind.
type ChangeOf<R> = BulkChange<<R as Changeable>::Number, <R as Changeable>::Filter, <R as Changeable>::Patch>;

/// Changes the records that the author sees; what became of each, in the order of the ids or of the numbers. The number of
/// statements grows with each batch of 200, not with each record. Belongs into `Db::write_alone`.
pub(crate) async fn change_many<R: Changeable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    bulk: &ChangeOf<R>,
) -> Result<Vec<ItemResult<R::Number>>> {
    let ids = match &bulk.target {
        Target::Ids(ids) => distinct(ids),
        Target::Filter(filter) => matches::<R>(tx, organization, author, filter).await?,
    };
    let change = Change::<R>::prepare(tx, organization, author, &bulk.operation).await?;
    let mut results = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let numbers: Vec<i64> = batch.iter().map(|id| id.number()).collect();
        let mut outcomes = change.batch(tx, &numbers).await?;
        let result = |id: &R::Number| {
            let outcome = outcomes.remove(&id.number()).unwrap_or(ItemOutcome::NotFound);
            ItemResult { id: *id, outcome }
        };
        results.extend(batch.iter().map(result).collect::<Vec<_>>());
    }
    if bulk.is_atomic { Ok(all_or_nothing(results)?) } else { Ok(results) }
}

/// The records that the filter lets through, by number.
async fn matches<R: Changeable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    filter: &R::Filter,
) -> Result<Vec<R::Number>> {
    let limit = i64::try_from(MAX_IDS).unwrap_or(i64::MAX).saturating_add(1);
    let numbers = R::numbers(tx, organization, author, filter, limit).await?;
    if numbers.len() > MAX_IDS {
        let what = R::PLURAL;
        let detail =
            format!("matches more than {MAX_IDS} {what}, which is the most that are changed at a time");
        return Err(Error::invalid("#/filter", FaultCode::TooMany, detail).into());
    }
    Ok(numbers.into_iter().map(R::Number::of).collect())
}

//! One call: which records it is about, and what is done to them write by write.

use db::Tx;
use domain::bulk::{ItemOutcome, ItemResult, MAX_IDS, all_or_nothing, distinct};
use domain::{Author, Error, FaultCode, OrgId, RecordNumber};

use super::change::{Change, Outcomes, texts_of};
use super::{ChangeOf, Changeable, ResultsOf, Target, Writes, cost};
use crate::ledger::error::Result;
use crate::ledger::undo::continued;
use crate::ledger::{access, journal};

/// A call that has begun.
#[derive(Debug, Clone)]
pub struct Call<N> {
    ids: Vec<N>,
    /// The last journal entry before it.
    after: i64,
    /// What one write may cost.
    most: i64,
    /// Whether it was to be one write and is too much for one.
    is_too_much: bool,
}

impl<N> Call<N> {
    /// How many records it is about.
    pub fn count(&self) -> usize {
        self.ids.len()
    }

    /// Refuses what was to be one write and is too much for one.
    pub fn check(&self) -> Result<()> {
        match self.is_too_much {
            true => Err(cost::too_much("#/atomic", "send fewer, or leave atomic out").into()),
            false => Ok(()),
        }
    }

    fn rest(&self, done: usize) -> &[N] {
        self.ids.get(done..).unwrap_or_default()
    }
}

pub(crate) async fn begin<R: Changeable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    bulk: &ChangeOf<R>,
) -> Result<Call<R::Number>> {
    let ids = match &bulk.target {
        Target::Ids(ids) => distinct(ids),
        Target::Filter(filter) => matches::<R>(tx, organization, author, filter).await?,
    };
    if ids.len() <= cost::FEW {
        return Ok(Call { ids, after: 0, most: cost::MOST_OF_A_PART, is_too_much: false });
    }
    let is_short = match bulk.writes {
        Writes::Several => false,
        Writes::OneIfShort | Writes::One => {
            let texts = texts_of(&bulk.operation);
            let costs = cost::of::<R>(tx, organization, &numbers(&ids), texts).await?;
            costs.values().sum::<i64>() <= cost::MOST_OF_ONE
        }
    };
    let most = if is_short { cost::MOST_OF_ONE } else { cost::MOST_OF_A_PART };
    let (after, is_too_much) =
        (journal::head(tx, organization).await?.seq, bulk.writes == Writes::One && !is_short);
    Ok(Call { ids, after, most, is_too_much })
}

pub(crate) async fn plan<R: Changeable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    bulk: &ChangeOf<R>,
    (call, done): (&Call<R::Number>, usize),
) -> Result<ResultsOf<R>> {
    let change = Change::<R>::prepare(tx, organization, author, &bulk.operation).await?;
    let batch: Vec<R::Number> = call.rest(done).iter().take(change.batch_size()).copied().collect();
    let plan = change.plan(tx, &numbers(&batch)).await?;
    Ok(results(&batch, plan.outcomes))
}

pub(crate) async fn apply_part<R: Changeable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    bulk: &ChangeOf<R>,
    (call, done): (&Call<R::Number>, usize),
) -> Result<ResultsOf<R>> {
    let rest = call.rest(done);
    let change = match prepare_again::<R>(tx, organization, author, bulk, done).await {
        Ok(change) => change,
        // What was done stays, so each of the others has an outcome, too.
        Err(crate::Error(reason @ (Error::NotFound(_) | Error::Forbidden(_)))) if done > 0 => {
            let failed =
                |id: &R::Number| ItemResult { id: *id, outcome: ItemOutcome::Failed(reason.clone()) };
            return Ok(rest.iter().map(failed).collect());
        }
        Err(error) => return Err(error),
    };
    let candidates: Vec<i64> = numbers(rest.get(..cost::most_records(call.most)).unwrap_or(rest));
    let costs = cost::of::<R>(tx, organization, &candidates, texts_of(&bulk.operation)).await?;
    let fitting = cost::fitting(candidates.iter().map(|number| costs.get(number).copied()), call.most);
    let before = tx.head(organization)?.seq;
    let results = apply(tx, &change, rest.get(..fitting).unwrap_or(rest)).await?;
    if done > 0 && tx.head(organization)?.seq > before {
        continued::note(tx, organization, before + 1, call.after).await?;
    }
    Ok(results)
}

/// Reads again what the operation depends on: since the write before, others have written.
async fn prepare_again<'c, R: Changeable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &'c Author,
    bulk: &'c ChangeOf<R>,
    done: usize,
) -> Result<Change<'c, R>> {
    if done > 0 {
        access::require(tx, organization, author, author.permissions.required()).await?;
    }
    Change::prepare(tx, organization, author, &bulk.operation).await
}

pub(crate) async fn apply_whole<R: Changeable>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    bulk: &ChangeOf<R>,
    call: &Call<R::Number>,
) -> Result<ResultsOf<R>> {
    let change = Change::<R>::prepare(tx, organization, author, &bulk.operation).await?;
    Ok(all_or_nothing(apply(tx, &change, &call.ids).await?)?)
}

/// Plans and writes batch by batch.
async fn apply<R: Changeable>(
    tx: &mut Tx,
    change: &Change<'_, R>,
    ids: &[R::Number],
) -> Result<ResultsOf<R>> {
    let mut all = Vec::with_capacity(ids.len());
    for batch in ids.chunks(change.batch_size()) {
        let plan = change.plan(tx, &numbers(batch)).await?;
        let outcomes = change.apply(tx, plan).await?;
        all.extend(results(batch, outcomes));
    }
    Ok(all)
}

fn results<N: RecordNumber>(ids: &[N], mut outcomes: Outcomes) -> Vec<ItemResult<N>> {
    let result = |id: &N| {
        let outcome = outcomes.remove(&id.number()).unwrap_or(ItemOutcome::NotFound);
        ItemResult { id: *id, outcome }
    };
    ids.iter().map(result).collect()
}

fn numbers<N: RecordNumber>(ids: &[N]) -> Vec<i64> {
    ids.iter().map(|id| id.number()).collect()
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

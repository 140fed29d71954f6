//! An operation on a batch of records.

use std::collections::HashMap;

use db::Tx;
use domain::bulk::{BulkOperation, ItemOutcome};
use domain::tag::{MAX_PER_RECORD, TagLabel};
use domain::{Author, Error, FaultCode, OrgId, TagId};

use super::Changeable;
use super::cost::Texts;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::record;
use crate::ledger::tag_links::{TagChange, require_tag};
use crate::ledger::trash::{self, Mark, Marked};

/// What becomes of the records of a batch that were found, by number.
pub(super) type Outcomes = HashMap<i64, ItemOutcome>;

/// An operation with what it depends on.
pub(super) struct Change<'c, R: Changeable> {
    organization: OrgId,
    author: &'c Author,
    kind: Kind<'c, R>,
}

/// What an operation writes of the texts of the records.
pub(super) fn texts_of<P>(operation: &BulkOperation<P>) -> Texts {
    match operation {
        BulkOperation::Change(_) | BulkOperation::Delete => Texts::Written,
        BulkOperation::Tag(_) | BulkOperation::Untag(_) => Texts::Kept,
    }
}

/// What becomes of some records, and how.
pub(super) struct Plan<R> {
    pub(super) outcomes: Outcomes,
    steps: Steps<R>,
}

/// What is to be written.
enum Steps<R> {
    /// Records, before and after.
    Replace(Vec<(R, R)>),
    /// A tag is put on these, or taken off.
    Tag(TagChange, Vec<i64>),
    /// These are deleted.
    Delete(Vec<i64>),
}

enum Kind<'c, R: Changeable> {
    Patch(&'c R::Patch, R::Facts),
    Tag(TagChange),
    Delete,
}

impl<'c, R: Changeable> Change<'c, R> {
    /// Reads what the operation depends on.
    pub(super) async fn prepare(
        tx: &mut Tx,
        organization: OrgId,
        author: &'c Author,
        operation: &'c BulkOperation<R::Patch>,
    ) -> Result<Self> {
        let kind = match operation {
            BulkOperation::Change(patch) => {
                let patch: &R::Patch = patch;
                Kind::Patch(patch, R::facts(tx, organization, author, patch).await?)
            }
            BulkOperation::Tag(tag) => Kind::tag(tx, organization, *tag, true).await?,
            BulkOperation::Untag(tag) => Kind::tag(tx, organization, *tag, false).await?,
            BulkOperation::Delete => Kind::Delete,
        };
        Ok(Self { organization, author, kind })
    }

    /// How many records are planned and written at a time: fewer where the whole records are read.
    pub(super) fn batch_size(&self) -> usize {
        match self.kind {
            Kind::Patch(..) => 200,
            Kind::Tag(_) => 1_000,
            Kind::Delete => 10_000,
        }
    }

    /// What becomes of those of these records that there are, and what is to be written.
    pub(super) async fn plan(&self, tx: &mut Tx, numbers: &[i64]) -> Result<Plan<R>> {
        match &self.kind {
            Kind::Patch(patch, facts) => self.plan_patch(tx, numbers, patch, facts).await,
            Kind::Tag(change) => self.plan_tag(tx, numbers, *change).await,
            Kind::Delete => {
                let found = self.found(tx, numbers).await?;
                let outcomes = found.iter().map(|number| (*number, ItemOutcome::Changed)).collect();
                Ok(Plan { outcomes, steps: Steps::Delete(found) })
            }
        }
    }

    async fn plan_patch(
        &self,
        tx: &mut Tx,
        numbers: &[i64],
        patch: &R::Patch,
        facts: &R::Facts,
    ) -> Result<Plan<R>> {
        let mut found: Vec<R> = record::present(tx, self.organization, numbers).await?;
        found.retain(|record| record.deleted_date().is_none() && record.is_seen(self.author));
        found.sort_by_key(R::number);
        let results = R::patched(tx, self.organization, &found, patch, facts).await?;
        let (mut outcomes, mut changed) = (Outcomes::new(), Vec::new());
        for (before, result) in found.into_iter().zip(results) {
            let number = before.number();
            let outcome = match result {
                Ok(None) => ItemOutcome::Unchanged,
                Ok(Some(after)) => {
                    changed.push((before, after));
                    ItemOutcome::Changed
                }
                Err(refusal) => ItemOutcome::Failed(refusal),
            };
            outcomes.insert(number, outcome);
        }
        Ok(Plan { outcomes, steps: Steps::Replace(changed) })
    }

    async fn plan_tag(&self, tx: &mut Tx, numbers: &[i64], change: TagChange) -> Result<Plan<R>> {
        let found = self.found(tx, numbers).await?;
        let labels = R::TAGS.labels(tx, self.organization, found.iter().copied(), None).await?;
        let outcome = |number: i64| {
            let of_it = labels.get(&number).map(Vec::as_slice).unwrap_or_default();
            (number, tag_outcome(R::TAGS.noun, of_it, change))
        };
        let outcomes: Vec<(i64, ItemOutcome)> = found.into_iter().map(outcome).collect();
        let changed = outcomes.iter().filter(|(_, outcome)| *outcome == ItemOutcome::Changed);
        let steps = Steps::Tag(change, changed.map(|(number, _)| *number).collect());
        Ok(Plan { outcomes: outcomes.into_iter().collect(), steps })
    }

    /// The numbers of those of these records that there are and that the author sees.
    async fn found(&self, tx: &mut Tx, numbers: &[i64]) -> Result<Vec<i64>> {
        let found = trash::find::<R>(tx, self.organization, numbers.iter().copied(), Mark::Deleted).await?;
        let mut found: Vec<i64> = found.into_keys().collect();
        let unseen = R::unseen(tx, self.organization, self.author, &found).await?;
        found.retain(|number| !unseen.contains(number));
        Ok(found)
    }

    /// Writes what was planned in this write, each change with its journal entry.
    pub(super) async fn apply(&self, tx: &mut Tx, plan: Plan<R>) -> Result<Outcomes> {
        match plan.steps {
            Steps::Replace(changed) => self.replace(tx, changed).await?,
            Steps::Tag(change, numbers) => self.tag(tx, &numbers, change).await?,
            Steps::Delete(numbers) => self.delete(tx, &numbers).await?,
        }
        Ok(plan.outcomes)
    }

    async fn replace(&self, tx: &mut Tx, changed: Vec<(R, R)>) -> Result<()> {
        let entry = |(before, after): &(R, R)| New {
            kind: R::change_kind(before, after),
            subject: R::subject(before.number()),
            payload: record::changes(Some(before), after),
        };
        let entries = changed.iter().map(entry).collect();
        if let Some(first) = self.journal(tx, entries).await? {
            let rows: Vec<(R, i64)> = changed
                .into_iter()
                .zip(first..)
                .map(|((_, after), seq)| (after.begun_by(seq), seq))
                .collect();
            record::replace_all(tx, self.organization, &rows).await?;
            let numbers: Vec<i64> = rows.iter().map(|(after, _)| after.number()).collect();
            R::follow(tx, self.organization, self.author, &numbers).await?;
        }
        Ok(())
    }

    async fn tag(&self, tx: &mut Tx, numbers: &[i64], change: TagChange) -> Result<()> {
        let entry = |number: &i64| R::TAGS.entry(number, change.tag, change.is_added);
        if let Some(first) = self.journal(tx, numbers.iter().map(entry).collect()).await? {
            let changes: Vec<_> =
                numbers.iter().zip(first..).map(|(number, seq)| (*number, change, seq)).collect();
            R::TAGS.write_changes(tx, self.organization, &changes).await?;
        }
        Ok(())
    }

    async fn delete(&self, tx: &mut Tx, numbers: &[i64]) -> Result<()> {
        if !numbers.is_empty() {
            let before: Marked = numbers.iter().map(|number| (*number, None)).collect();
            trash::mark::<R>(tx, self.organization, self.author, &before, Mark::Deleted).await?;
            R::follow(tx, self.organization, self.author, numbers).await?;
        }
        Ok(())
    }

    /// Appends entries and returns the number of the first; none without an entry.
    async fn journal(&self, tx: &mut Tx, entries: Vec<New>) -> Result<Option<i64>> {
        if entries.is_empty() {
            return Ok(None);
        }
        let count = i64::try_from(entries.len()).unwrap_or(i64::MAX);
        let last = journal::append_all(tx, self.organization, self.author, entries).await?;
        Ok(Some(last - count + 1))
    }
}

impl<R: Changeable> Kind<'_, R> {
    /// A tag that is put on or taken off, which must exist.
    async fn tag(tx: &mut Tx, organization: OrgId, tag: TagId, is_added: bool) -> Result<Self> {
        require_tag(tx, organization, tag).await?;
        Ok(Self::Tag(TagChange { tag, is_added }))
    }
}

/// What becomes of a record with these tags, which messages call a `noun`, by a change of them.
pub(crate) fn tag_outcome(noun: &str, labels: &[TagLabel], change: TagChange) -> ItemOutcome {
    let is_on = labels.iter().any(|label| label.id == change.tag);
    let is_full = labels.len() >= MAX_PER_RECORD;
    if is_on == change.is_added {
        ItemOutcome::Unchanged
    } else if change.is_added && is_full {
        let detail = format!("{noun} has at most {MAX_PER_RECORD} tags.");
        ItemOutcome::Failed(Error::invalid("#/tag_id", FaultCode::TooManyTags, detail))
    } else {
        ItemOutcome::Changed
    }
}

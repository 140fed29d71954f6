//! An operation on a batch of records.

use std::collections::HashMap;

use db::Tx;
use domain::bulk::{BulkOperation, ItemOutcome};
use domain::tag::{MAX_PER_RECORD, TagLabel};
use domain::{Author, Error, FaultCode, OrgId, TagId};

use super::Changeable;
use crate::error::Result;
use crate::journal::{self, New};
use crate::trash::{self, Mark, Marked};
use crate::undo::TagChange;
use crate::{record, tags};

/// What became of the records of a batch that were found, by number.
type Outcomes = HashMap<i64, ItemOutcome>;

/// An operation with what it depends on.
pub(super) struct Change<'c, R: Changeable> {
    organization: OrgId,
    author: &'c Author,
    kind: Kind<'c, R>,
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

    /// Does it to those of these records that there are.
    pub(super) async fn batch(&self, tx: &mut Tx, numbers: &[i64]) -> Result<Outcomes> {
        let mut found: Vec<R> = record::present(tx, self.organization, numbers).await?;
        found.retain(|record| record.deleted_date().is_none() && record.is_seen(self.author));
        found.sort_by_key(R::number);
        match &self.kind {
            Kind::Patch(patch, facts) => self.patch(tx, found, patch, facts).await,
            Kind::Tag(change) => self.tag(tx, found, *change).await,
            Kind::Delete => self.delete(tx, found).await,
        }
    }

    async fn patch(
        &self,
        tx: &mut Tx,
        found: Vec<R>,
        patch: &R::Patch,
        facts: &R::Facts,
    ) -> Result<Outcomes> {
        let results = R::apply(tx, self.organization, &found, patch, facts).await?;
        let (mut outcomes, mut entries, mut rows) = (Outcomes::new(), Vec::new(), Vec::new());
        for (before, result) in found.iter().zip(results) {
            let number = before.number();
            let outcome = match result {
                Ok(None) => ItemOutcome::Unchanged,
                Ok(Some(after)) => {
                    let payload = record::changes(Some(before), &after);
                    let kind = R::change_kind(before, &after);
                    entries.push(New { kind, subject: R::subject(number), payload });
                    rows.push(after);
                    ItemOutcome::Changed
                }
                Err(refusal) => ItemOutcome::Failed(refusal),
            };
            outcomes.insert(number, outcome);
        }
        if let Some(first) = self.journal(tx, entries).await? {
            let rows: Vec<(R, i64)> =
                rows.into_iter().zip(first..).map(|(row, seq)| (row.begun_by(seq), seq)).collect();
            record::replace_all(tx, self.organization, &rows).await?;
        }
        Ok(outcomes)
    }

    async fn tag(&self, tx: &mut Tx, found: Vec<R>, change: TagChange) -> Result<Outcomes> {
        let numbers = found.iter().map(R::number);
        let labels = R::TAGS.labels(tx, self.organization, numbers, None).await?;
        let (mut outcomes, mut entries, mut changed) = (Outcomes::new(), Vec::new(), Vec::new());
        for record in found {
            let number = record.number();
            let of_it = labels.get(&number).map(Vec::as_slice).unwrap_or_default();
            let outcome = tag_outcome::<R>(of_it, change);
            if outcome == ItemOutcome::Changed {
                entries.push(R::TAGS.entry(number, change.tag, change.is_added));
                changed.push(number);
            }
            outcomes.insert(number, outcome);
        }
        if let Some(first) = self.journal(tx, entries).await? {
            let changes: Vec<_> =
                changed.into_iter().zip(first..).map(|(number, seq)| (number, change, seq)).collect();
            R::TAGS.write_changes(tx, self.organization, &changes).await?;
        }
        Ok(outcomes)
    }

    async fn delete(&self, tx: &mut Tx, found: Vec<R>) -> Result<Outcomes> {
        let numbers: Vec<i64> = found.iter().map(R::number).collect();
        if !numbers.is_empty() {
            let before: Marked = numbers.iter().map(|number| (*number, None)).collect();
            trash::mark::<R>(tx, self.organization, self.author, &before, Mark::Deleted).await?;
            R::follow(tx, self.organization, &numbers, true).await?;
        }
        Ok(numbers.into_iter().map(|number| (number, ItemOutcome::Changed)).collect())
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
        tags::get(tx, organization, tag).await?;
        Ok(Self::Tag(TagChange { tag, is_added }))
    }
}

fn tag_outcome<R: Changeable>(labels: &[TagLabel], change: TagChange) -> ItemOutcome {
    let is_on = labels.iter().any(|label| label.id == change.tag);
    let is_full = i64::try_from(labels.len()).is_ok_and(|count| count >= MAX_PER_RECORD);
    if is_on == change.is_added {
        ItemOutcome::Unchanged
    } else if change.is_added && is_full {
        let detail = format!("{} has at most {MAX_PER_RECORD} tags.", R::TAGS.noun);
        ItemOutcome::Failed(Error::invalid("#/tag_id", FaultCode::TooManyTags, detail))
    } else {
        ItemOutcome::Changed
    }
}

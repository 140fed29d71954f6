//! Changing many incidents by one operation: each by the rules of a single change, and with its own journal entry.

use std::collections::HashMap;

use db::Tx;
use domain::bulk::{BulkOperation, ItemOutcome, ItemResult, MAX_IDS, all_or_nothing, distinct};
use domain::incident::{Incident, IncidentPatch, Status, Viewer};
use domain::tag::{MAX_PER_RECORD, TagLabel};
use domain::{Author, Error, FaultCode, IncidentNumber, OrgId, TagId};

use super::facts::{CommonFacts, surroundings_of_all};
use super::list::{IncidentFilter, IncidentSort, count, list};
use super::subject;
use super::tags::TAGS;
use super::write::change_kind;
use crate::error::Result;
use crate::journal::{self, New};
use crate::list::{Direction, ListQuery, Sort};
use crate::trash::{self, Mark, Marked};
use crate::undo::TagChange;
use crate::view::View;
use crate::{record, tags};

/// Incidents that are read and written at a time.
const BATCH: usize = 200;

/// Matches that are read at a time.
const PAGE: i64 = 1_000;

/// Which incidents are changed.
#[derive(Debug, Clone)]
pub enum Target {
    /// Those with these ids, each once.
    Ids(Vec<IncidentNumber>),
    /// Those that the list with this filter has: at most 10,000.
    Filter(Box<IncidentFilter>),
}

/// A change of many incidents.
#[derive(Debug, Clone)]
pub struct BulkChange {
    /// Which incidents.
    pub target: Target,
    /// What is done to each.
    pub operation: BulkOperation,
    /// Whether nothing is changed if a rule forbids one of the changes.
    pub is_atomic: bool,
}

/// Changes the incidents that the author sees; what became of each, in the order of the ids or of the numbers. The number of
/// statements grows with each batch of 200, not with each incident. Belongs into `Db::write_alone`.
pub async fn change_many(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    bulk: &BulkChange,
) -> Result<Vec<ItemResult>> {
    let ids = match &bulk.target {
        Target::Ids(ids) => distinct(ids),
        Target::Filter(filter) => matches(tx, organization, author, filter).await?,
    };
    let change = Change::prepare(tx, organization, author, &bulk.operation).await?;
    let mut results = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let mut outcomes = change.batch(tx, batch).await?;
        let result = |id: &IncidentNumber| {
            let outcome = outcomes.remove(id).unwrap_or(ItemOutcome::NotFound);
            ItemResult { id: *id, outcome }
        };
        results.extend(batch.iter().map(result).collect::<Vec<_>>());
    }
    if bulk.is_atomic { Ok(all_or_nothing(results)?) } else { Ok(results) }
}

/// The incidents that the filter lets through, by number.
async fn matches(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    filter: &IncidentFilter,
) -> Result<Vec<IncidentNumber>> {
    let (viewer, view) = (Viewer::of(author), View::now());
    let matching = count(tx, organization, &viewer, view, filter).await?;
    if usize::try_from(matching).is_ok_and(|count| count > MAX_IDS) {
        let detail = format!("matches {matching} incidents; at most {MAX_IDS} are changed at a time");
        return Err(Error::invalid("#/filter", FaultCode::TooMany, detail).into());
    }
    let sort = Sort { by: IncidentSort::Number, direction: Direction::Ascending };
    let mut asked = ListQuery { view, filter: filter.clone(), sort, after: None };
    let mut numbers = Vec::new();
    loop {
        let page = list(tx, organization, &viewer, &asked, PAGE).await?;
        numbers.extend(page.rows.iter().map(|incident| incident.number));
        match page.rows.last() {
            Some(last) if page.has_more => asked.after = Some(IncidentSort::Number.position(last)),
            _ => return Ok(numbers),
        }
    }
}

/// What became of the incidents of a batch that were found.
type Outcomes = HashMap<IncidentNumber, ItemOutcome>;

/// An operation with what it depends on.
struct Change<'c> {
    organization: OrgId,
    author: &'c Author,
    kind: Kind<'c>,
}

enum Kind<'c> {
    Patch(&'c IncidentPatch, CommonFacts),
    Tag(TagChange),
    Delete,
}

impl<'c> Change<'c> {
    async fn prepare(
        tx: &mut Tx,
        organization: OrgId,
        author: &'c Author,
        operation: &'c BulkOperation,
    ) -> Result<Self> {
        let kind = match operation {
            BulkOperation::Change(patch) => {
                Kind::Patch(patch, CommonFacts::of(tx, organization, author, patch).await?)
            }
            BulkOperation::Tag(tag) => Kind::tag(tx, organization, *tag, true).await?,
            BulkOperation::Untag(tag) => Kind::tag(tx, organization, *tag, false).await?,
            BulkOperation::Delete => Kind::Delete,
        };
        Ok(Self { organization, author, kind })
    }

    async fn batch(&self, tx: &mut Tx, batch: &[IncidentNumber]) -> Result<Outcomes> {
        let numbers: Vec<i64> = batch.iter().map(|id| id.number()).collect();
        let viewer = Viewer::of(self.author);
        let mut found: Vec<Incident> = record::present(tx, self.organization, &numbers).await?;
        found.retain(|incident| incident.deleted_date.is_none() && viewer.sees_incident(incident));
        found.sort_by_key(|incident| incident.number);
        match &self.kind {
            Kind::Patch(patch, facts) => self.patch(tx, found, patch, facts).await,
            Kind::Tag(change) => self.tag(tx, found, *change).await,
            Kind::Delete => self.delete(tx, found).await,
        }
    }

    async fn patch(
        &self,
        tx: &mut Tx,
        found: Vec<Incident>,
        patch: &IncidentPatch,
        common: &CommonFacts,
    ) -> Result<Outcomes> {
        let mut around = match patch.status {
            Some(Status::Closed) => surroundings_of_all(tx, self.organization, &found).await?,
            _ => HashMap::new(),
        };
        let (mut outcomes, mut entries, mut rows) = (Outcomes::new(), Vec::new(), Vec::new());
        for before in found {
            let number = before.number;
            let facts = common.for_one(number, patch, around.remove(&number).unwrap_or_default());
            let outcome = match patch.apply(&before, &facts, tx.at()) {
                Ok(None) => ItemOutcome::Unchanged,
                Ok(Some(after)) => {
                    let payload = record::changes(Some(&before), &after);
                    let kind = change_kind(&before, &after);
                    entries.push(New { kind, subject: subject(number), payload });
                    rows.push(after);
                    ItemOutcome::Changed
                }
                Err(refusal) => ItemOutcome::Failed(refusal),
            };
            outcomes.insert(number, outcome);
        }
        if let Some(first) = self.journal(tx, entries).await? {
            let rows: Vec<(Incident, i64)> = rows
                .into_iter()
                .zip(first..)
                .map(|(row, seq)| (Incident { seq_from: seq, ..row }, seq))
                .collect();
            record::replace_all(tx, self.organization, &rows).await?;
        }
        Ok(outcomes)
    }

    async fn tag(&self, tx: &mut Tx, found: Vec<Incident>, change: TagChange) -> Result<Outcomes> {
        let numbers = found.iter().map(|incident| incident.number.number());
        let labels = TAGS.labels(tx, self.organization, numbers, None).await?;
        let (mut outcomes, mut entries, mut changed) = (Outcomes::new(), Vec::new(), Vec::new());
        for incident in found {
            let number = incident.number.number();
            let of_it = labels.get(&number).map(Vec::as_slice).unwrap_or_default();
            let outcome = tag_outcome(of_it, change);
            if outcome == ItemOutcome::Changed {
                entries.push(TAGS.entry(number, change.tag, change.is_added));
                changed.push(number);
            }
            outcomes.insert(incident.number, outcome);
        }
        if let Some(first) = self.journal(tx, entries).await? {
            let changes: Vec<_> =
                changed.into_iter().zip(first..).map(|(number, seq)| (number, change, seq)).collect();
            TAGS.write_changes(tx, self.organization, &changes).await?;
        }
        Ok(outcomes)
    }

    async fn delete(&self, tx: &mut Tx, found: Vec<Incident>) -> Result<Outcomes> {
        let before: Marked = found.iter().map(|incident| (incident.number.number(), None)).collect();
        if !before.is_empty() {
            trash::mark::<Incident>(tx, self.organization, self.author, &before, Mark::Deleted).await?;
        }
        Ok(found.into_iter().map(|incident| (incident.number, ItemOutcome::Changed)).collect())
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

impl Kind<'_> {
    /// A tag that is put on or taken off, which must exist.
    async fn tag(tx: &mut Tx, organization: OrgId, tag: TagId, is_added: bool) -> Result<Self> {
        tags::get(tx, organization, tag).await?;
        Ok(Self::Tag(TagChange { tag, is_added }))
    }
}

fn tag_outcome(labels: &[TagLabel], change: TagChange) -> ItemOutcome {
    let is_on = labels.iter().any(|label| label.id == change.tag);
    let is_full = i64::try_from(labels.len()).is_ok_and(|count| count >= MAX_PER_RECORD);
    if is_on == change.is_added {
        ItemOutcome::Unchanged
    } else if change.is_added && is_full {
        let detail = format!("An incident has at most {MAX_PER_RECORD} tags.");
        ItemOutcome::Failed(Error::invalid("#/tag_id", FaultCode::TooManyTags, detail))
    } else {
        ItemOutcome::Changed
    }
}

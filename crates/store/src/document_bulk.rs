//! Changing many documents by one operation: each by the rules of a single change, and with its own journal entry.
//!
//! There are so few documents that one write changes them all, unless their texts are too much for one. A dry run plans in a read what a run writes.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::acknowledgement::NewAcknowledgementRequest;
use domain::bulk::{ItemOutcome, ItemResult, all_or_nothing};
use domain::document::{Document, DocumentStatus, MAX_DOCUMENTS, PropertiesPatch};
use domain::{Author, Error, ErrorCode, FaultCode, Faults, OrgId, ResourceKind, TagId};
use macros::boxed;

use crate::documents::TAGS;
use crate::ledger::bulk::{Target, cost, tag_outcome};
use crate::ledger::error::Result;
use crate::ledger::tag_links::{TagChange, require_tag};
use crate::proposals::AskedDocuments;
use crate::{acknowledgements, documents, people};

/// What is done to each of many documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Its properties are changed.
    Update(Box<PropertiesPatch>),
    /// People are asked to acknowledge its newest version.
    Ask(Box<NewAcknowledgementRequest>),
    /// A tag is put on.
    Tag(TagId),
    /// A tag is taken off.
    Untag(TagId),
}

/// A change of many documents.
#[derive(Debug, Clone)]
pub struct BulkChange {
    /// Which ones, by slug: at most 500.
    pub target: Target<String, AskedDocuments>,
    /// What is done to each.
    pub operation: Operation,
    /// Whether nothing is changed if a rule forbids one of the changes.
    pub is_atomic: bool,
}

/// What became of each document, by slug.
pub type Results = Vec<ItemResult<String>>;

/// The slugs of the documents that are meant, each once.
#[boxed]
pub async fn meant(
    tx: &mut Tx,
    organization: OrgId,
    target: &Target<String, AskedDocuments>,
) -> Result<Vec<String>> {
    let filter = match target {
        Target::Ids(slugs) => {
            let mut seen = HashSet::with_capacity(slugs.len());
            return Ok(slugs.iter().filter(|slug| seen.insert(slug.as_str())).cloned().collect());
        }
        Target::Filter(asked) => asked.filter(tx, organization).await?,
    };
    let limit = i64::try_from(MAX_DOCUMENTS).unwrap_or(i64::MAX);
    let found = documents::list(tx, organization, &filter, None, limit).await?;
    if found.has_more {
        let detail = format!(
            "matches more than {MAX_DOCUMENTS} documents, which is the most that are changed at a time"
        );
        return Err(Error::invalid("#/filter", FaultCode::TooMany, detail).into());
    }
    Ok(found.rows.into_iter().map(|document| document.slug).collect())
}

/// What would become of each of these documents.
#[boxed]
pub async fn plan(tx: &mut Tx, organization: OrgId, slugs: &[String], bulk: &BulkChange) -> Result<Results> {
    Ok(Plan::make(tx, organization, slugs, bulk).await?.results)
}

/// Changes these documents, or none if a rule forbids one of the changes and that was asked for.
#[boxed]
pub async fn apply(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slugs: &[String],
    bulk: &BulkChange,
) -> Result<Results> {
    let Plan { results, changed, asked, tagged } = Plan::make(tx, organization, slugs, bulk).await?;
    TAGS.journal_changes(tx, organization, author, &tagged).await?;
    documents::replace_all(tx, organization, author, &changed).await?;
    if let Operation::Ask(new) = &bulk.operation {
        let asked: Vec<_> = asked.iter().map(|(slug, number)| (slug.as_str(), *number)).collect();
        acknowledgements::request_all(tx, organization, author, &asked, new).await?;
    }
    Ok(results)
}

/// What becomes of each document, and what is to be written.
struct Plan {
    results: Results,
    changed: Vec<(&'static str, Document, Document)>,
    /// The documents whose newest version people are asked to acknowledge.
    asked: Vec<(String, i64)>,
    /// The tags that are put on or taken off.
    tagged: Vec<(String, TagChange)>,
}

impl Plan {
    async fn make(tx: &mut Tx, organization: OrgId, slugs: &[String], bulk: &BulkChange) -> Result<Self> {
        let found = documents::among(tx, organization, slugs).await?;
        let mut found: HashMap<String, Document> =
            found.into_iter().map(|document| (document.slug.clone(), document)).collect();
        let found: Vec<(&String, Option<Document>)> =
            slugs.iter().map(|slug| (slug, found.remove(slug))).collect();
        let mut plan = match &bulk.operation {
            Operation::Update(patch) => {
                let plan = Self::of_patch(tx, organization, found, patch).await?;
                plan.check_cost(tx, organization, &bulk.target).await?;
                plan
            }
            Operation::Ask(new) => Self::of_asking(tx, organization, (slugs, found), new).await?,
            Operation::Tag(tag) | Operation::Untag(tag) => {
                let is_added = matches!(bulk.operation, Operation::Tag(_));
                Self::of_tag(tx, organization, found, TagChange { tag: *tag, is_added }).await?
            }
        };
        if bulk.is_atomic {
            plan.results = all_or_nothing(plan.results)?;
        }
        Ok(plan)
    }

    fn empty() -> Self {
        Self { results: Vec::new(), changed: Vec::new(), asked: Vec::new(), tagged: Vec::new() }
    }

    fn add(&mut self, slug: &str, outcome: ItemOutcome) {
        self.results.push(ItemResult { id: slug.to_owned(), outcome });
    }

    async fn of_patch(
        tx: &mut Tx,
        organization: OrgId,
        found: Vec<(&String, Option<Document>)>,
        patch: &PropertiesPatch,
    ) -> Result<Self> {
        let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
        let (mut plan, at) = (Self::empty(), tx.at());
        for (slug, before) in found {
            let Some(before) = before else {
                plan.add(slug, ItemOutcome::NotFound);
                continue;
            };
            match patch.apply(&before, owner.clone(), at, Faults::default()) {
                Ok(None) => plan.add(slug, ItemOutcome::Unchanged),
                Ok(Some(after)) => {
                    plan.add(slug, ItemOutcome::Changed);
                    plan.changed.push(("document.updated", before, after));
                }
                Err(refusal) => plan.add(slug, ItemOutcome::Failed(refusal)),
            }
        }
        Ok(plan)
    }

    /// Refuses what one write would take too long for: others wait for it.
    async fn check_cost(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        target: &Target<String, AskedDocuments>,
    ) -> Result<()> {
        let slugs: Vec<&str> = self.changed.iter().map(|(_, before, _)| before.slug.as_str()).collect();
        let rows: i64 = documents::costs(tx, organization, &slugs).await?.values().sum();
        let described =
            self.changed.iter().filter(|(_, before, after)| before.description != after.description);
        // A description that is changed goes into the row and into the entry.
        let new: usize = described.map(|(_, _, after)| 2 * after.description.len()).sum();
        if rows.saturating_add(i64::try_from(new).unwrap_or(i64::MAX)) <= cost::MOST_OF_ONE {
            return Ok(());
        }
        let pointer = if target.filter().is_some() { "#/filter" } else { "#/ids" };
        Err(cost::too_much(pointer, "change fewer at a time").into())
    }

    async fn of_tag(
        tx: &mut Tx,
        organization: OrgId,
        found: Vec<(&String, Option<Document>)>,
        change: TagChange,
    ) -> Result<Self> {
        require_tag(tx, organization, change.tag).await?;
        let present = found.iter().filter(|(_, it)| it.is_some()).map(|(slug, _)| (*slug).clone());
        let mut labels = TAGS.labels(tx, organization, present, None).await?;
        let mut plan = Self::empty();
        for (slug, document) in found {
            let outcome = match document.map(|it| it.status) {
                None => ItemOutcome::NotFound,
                Some(DocumentStatus::Archived) => {
                    ItemOutcome::Failed(Error::Conflict(ErrorCode::DocumentArchived))
                }
                Some(_) => tag_outcome(TAGS.noun, &labels.remove(slug).unwrap_or_default(), change),
            };
            if matches!(outcome, ItemOutcome::Changed) {
                plan.tagged.push((slug.clone(), change));
            }
            plan.add(slug, outcome);
        }
        Ok(plan)
    }

    async fn of_asking(
        tx: &mut Tx,
        organization: OrgId,
        (slugs, found): (&[String], Vec<(&String, Option<Document>)>),
        new: &NewAcknowledgementRequest,
    ) -> Result<Self> {
        acknowledgements::check_people(tx, organization, new).await.map_err(|error| match error.0 {
            Error::Invalid(faults) => Error::Invalid(faults.within("#/operation")),
            other => other,
        })?;
        let already = acknowledgements::asked_already(tx, organization, slugs, new).await?;
        let mut plan = Self::empty();
        for (slug, document) in found {
            let outcome = match document.map(|it| (it.status, it.published_version)) {
                None => ItemOutcome::NotFound,
                Some((DocumentStatus::Archived, _)) => {
                    ItemOutcome::Failed(Error::Conflict(ErrorCode::DocumentArchived))
                }
                Some((_, None)) => ItemOutcome::Failed(Error::NotFound(ResourceKind::DocumentVersion)),
                Some(_) if already.contains(slug) => ItemOutcome::Unchanged,
                Some((_, Some(number))) => {
                    plan.asked.push((slug.clone(), number));
                    ItemOutcome::Changed
                }
            };
            plan.add(slug, outcome);
        }
        Ok(plan)
    }
}

//! Reading documents.

use std::collections::{HashMap, HashSet};
use std::slice;

use db::{FromRow, Param, Row, Tx, Value};
use domain::document::{
    Classification, Day, Document, DocumentStatus, DocumentWithItems, PlacedItem, ProposalStatus,
    ReviewStatus,
};
use domain::search::SearchQuery;
use domain::{Error, ErrorCode, OrgId, ResourceKind, RiskNumber, UserId};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use serde_json::json;

use super::tag_links::{TAGS, add_tags};
use super::{ItemRow, WithTemplate};
use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select, TagFilter, TimeRange};
use crate::ledger::page::Page;
use crate::ledger::record::{Reader, Record, Stored};
use crate::ledger::search;
use crate::ledger::view::View;

/// One document with its items, without its tags and without the number of the version that is in force.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<DocumentWithItems> {
    let found = select::<WithTemplate>(organization).filter(Filter::is("slug", slug.into())).one(tx).await?;
    let found = found.ok_or(Error::NotFound(ResourceKind::Document))?;
    let WithProposal(WithTemplate { document, template, approval_steps }, proposal) = found;
    let document = proposal.of(document);
    let items = items(tx, organization, slug).await?;
    Ok(DocumentWithItems { document, template, approval_steps, items })
}

/// One document with its items, its tags and the number of the version that is in force.
#[boxed]
pub async fn read(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<DocumentWithItems> {
    let mut it = get(tx, organization, slug).await?;
    set_in_force(tx, organization, slice::from_mut(&mut it.document)).await?;
    add_tags(tx, organization, slice::from_mut(&mut it.document)).await?;
    Ok(it)
}

/// Sets which version of each of these documents is in force.
async fn set_in_force(tx: &mut Tx, organization: OrgId, documents: &mut [Document]) -> Result<()> {
    let published = documents.iter().filter(|it| it.published_version.is_some());
    let slugs: Vec<&str> = published.map(|it| it.slug.as_str()).collect();
    if slugs.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "SELECT document, MAX(number) FROM document_version
         WHERE organization = $1 AND document IN (SELECT item FROM {}) AND effective_date < $3 GROUP BY document",
        wanted_texts(tx.engine(), "$2")
    );
    let slugs = json!(slugs).to_string();
    let tomorrow = tomorrow(tx.at());
    let rows: Vec<(String, i64)> = tx.query(&sql, &[&organization.uuid(), &slugs, &tomorrow]).await?;
    let mut numbers: HashMap<_, _> = rows.into_iter().collect();
    documents.iter_mut().for_each(|it| it.in_force_version = numbers.remove(&it.slug));
    Ok(())
}

/// The day after this time (UTC): a version that is in force has an earlier one.
pub(super) fn tomorrow(now: Timestamp) -> String {
    Day::of(now + SignedDuration::from_hours(24)).to_string()
}

/// Which documents a list has. What is empty lets every document through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentFilter {
    /// Documents with one of these statuses.
    pub status: Vec<DocumentStatus>,
    /// Documents of one of these owners; `None` is a document without an owner.
    pub owner: Vec<Option<UserId>>,
    /// Documents with one of these classifications.
    pub classification: Vec<Classification>,
    /// Documents, an item of which concerns one of these risks.
    pub risk: Vec<RiskNumber>,
    /// Documents with these tags.
    pub tags: TagFilter,
    /// Documents whose next review is in one of these states now.
    pub review: Vec<ReviewStatus>,
    /// Documents that are to be reviewed at this time.
    pub next_review: TimeRange,
    /// Documents that a search finds.
    pub q: Option<SearchQuery>,
    /// Documents with one of these slugs; all if there is nothing.
    pub slugs: Option<Vec<String>>,
}

impl DocumentFilter {
    /// What the search finds, and the slugs, as filters.
    pub(super) async fn searched(&self, tx: &mut Tx, organization: OrgId) -> Result<Vec<Filter<'static>>> {
        let found = match &self.q {
            Some(query) => Some(search::find_documents(tx, organization, query).await?),
            None => None,
        };
        let engine = tx.engine();
        let lists = found.iter().chain(&self.slugs);
        Ok(lists.map(|slugs| Filter::among_texts(engine, "slug", slugs)).collect())
    }

    /// The filters but for the search and the slugs, at this time.
    pub(super) fn filters(&self, now: Timestamp) -> impl Iterator<Item = Filter<'_>> {
        let filters = [
            Filter::words("status", &self.status),
            Filter::people("owner", &self.owner),
            Filter::words("classification", &self.classification),
            Filter::tags(TAGS.link, &self.tags),
            (!self.risk.is_empty()).then(|| Filter::ConcernsRisk(self.risk.clone())),
            (!self.review.is_empty()).then(|| Filter::Reviewed(self.review.clone(), now)),
            Filter::times("next_review_date", self.next_review),
        ];
        filters.into_iter().flatten()
    }
}

/// Up to `limit` of these documents by slug, those after the slug `after`.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    filter: &DocumentFilter,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Document>> {
    let searched = filter.searched(tx, organization).await?;
    let select = select::<Document>(organization).filters(filter.filters(tx.at())).filters(searched);
    let select = select.order(&["slug"], Direction::Ascending, after.map(Value::from));
    let page: Page<WithProposal<Document>> = select.page(tx, limit).await?;
    let mut page = page.map(Document::from);
    set_in_force(tx, organization, &mut page.rows).await?;
    add_tags(tx, organization, &mut page.rows).await?;
    Ok(page)
}

/// Those of these documents that there are, without their tags.
#[boxed]
pub async fn among(tx: &mut Tx, organization: OrgId, slugs: &[String]) -> Result<Vec<Document>> {
    let filter = Filter::among_texts(tx.engine(), "slug", slugs);
    let found: Vec<WithProposal<Document>> = select::<Document>(organization).filter(filter).all(tx).await?;
    Ok(found.into_iter().map(Document::from).collect())
}

/// Whether there is such a document.
pub(crate) async fn exists(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<bool> {
    Ok(of_organization(organization).filter(Filter::is("slug", slug.into())).count(tx).await? > 0)
}

/// Fails if another document has the reference of this one.
pub(crate) async fn check_reference(tx: &mut Tx, organization: OrgId, document: &Document) -> Result<()> {
    let Some(reference) = &document.reference else { return Ok(()) };
    let sql = "SELECT slug FROM document WHERE organization = $1 AND reference = $2 AND slug <> $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &reference.as_str(), &document.slug];
    match tx.query_opt::<(String,)>(sql, &params).await? {
        Some(_) => Err(Error::Conflict(ErrorCode::ReferenceTaken).into()),
        None => Ok(()),
    }
}

/// Those of these slugs that documents have.
#[boxed]
pub async fn existing(tx: &mut Tx, organization: OrgId, slugs: &[String]) -> Result<HashSet<String>> {
    let filter = Filter::among_texts(tx.engine(), "slug", slugs);
    let found: Vec<Stored<Document>> = of_organization(organization).filter(filter).all(tx).await?;
    Ok(found.into_iter().map(|Stored(document)| document.slug).collect())
}

pub(super) fn of_organization<'q>(organization: OrgId) -> Select<'q, Document> {
    Select::of(organization, View::with_deleted())
}

/// Fails unless there is such a document.
#[boxed]
pub async fn require(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<()> {
    match exists(tx, organization, slug).await? {
        true => Ok(()),
        false => Err(Error::NotFound(ResourceKind::Document).into()),
    }
}

/// How many of these documents there are.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, filter: &DocumentFilter) -> Result<i64> {
    let searched = filter.searched(tx, organization).await?;
    of_organization(organization).filters(filter.filters(tx.at())).filters(searched).count(tx).await
}

/// Documents with what is read of the one proposal that is open.
fn select<'q, R: Record>(organization: OrgId) -> Select<'q, R> {
    Select::of(organization, View::with_deleted()).with(
        ", proposal.number, proposal.status, proposal.library_sha256, proposal.library_release",
        |_| {
            " LEFT JOIN proposal ON proposal.organization = r.organization AND proposal.document = r.slug
               AND proposal.status IN ('open', 'submitted')"
                .to_owned()
        },
    )
}

/// A record, and the document's open proposal.
struct WithProposal<R>(R, OpenProposal);

/// What is read of a document's open proposal.
struct OpenProposal {
    number: Option<i64>,
    status: Option<ProposalStatus>,
    taken_sha256: Option<String>,
    taken_release: Option<i64>,
}

impl OpenProposal {
    fn of(self, document: Document) -> Document {
        let Self { number: open_proposal, status: proposal_status, taken_sha256, taken_release } = self;
        Document { open_proposal, proposal_status, taken_sha256, taken_release, ..document }
    }
}

impl<R: Record> FromRow for WithProposal<R> {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let (record, number): (_, Option<i64>) = (R::read(&mut row)?, row.next()?);
        let (status, taken_sha256): (Option<String>, _) = (row.next()?, row.next()?);
        let taken_release = row.next()?;
        let status = status.as_deref().and_then(ProposalStatus::parse);
        Ok(Self(record, OpenProposal { number, status, taken_sha256, taken_release }))
    }
}

impl From<WithProposal<Self>> for Document {
    fn from(WithProposal(document, proposal): WithProposal<Self>) -> Self {
        proposal.of(document)
    }
}

/// A document's items, in the order of the text.
pub(crate) async fn items(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<PlacedItem>> {
    let select = Select::<ItemRow>::of(organization, View::with_deleted());
    let of_document = select.filter(Filter::is("document", slug.into()));
    let rows = of_document.order(&["position"], Direction::Ascending, []).all(tx).await?;
    rows.into_iter().map(|Stored::<ItemRow>(row)| Ok(PlacedItem::try_from(row)?)).collect()
}

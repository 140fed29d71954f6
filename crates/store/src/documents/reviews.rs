//! Reviews of documents.

use db::{Tx, Value};
use domain::document::{Document, DocumentReview, NewDocumentReview};
use domain::{Author, OrgId, Prose};
use macros::boxed;
use serde_json::json;

use super::{read, subject};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored, record};
use crate::ledger::view::View;

record! {
    DocumentReview in "document_review" {
        document: Plain => Key,
        number: Plain => Key,
        document_version: Plain => Fixed,
        proposal: Plain => Fixed,
        note: Plain => Fixed,
        reviewed_by: AnActor => Fixed,
        reviewed_date: Plain => Fixed,
    }
}

/// Records that the author has reviewed the latest version of a document.
#[boxed]
pub async fn review(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    new: &NewDocumentReview,
) -> Result<DocumentReview> {
    let before = read::get(tx, organization, slug).await?.document;
    let (review, payload) = record(tx, organization, author, &before, None, new.note.clone()).await?;
    journal::append(tx, organization, author, "document.reviewed", subject(slug), payload).await?;
    Ok(review)
}

/// Records that the author has approved the latest version again, in this proposal, and returns what is journaled.
pub(crate) async fn confirm(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: &Document,
    proposal: i64,
    note: Option<Prose>,
) -> Result<New> {
    let (_, payload) = record(tx, organization, author, before, Some(proposal), note).await?;
    Ok(New { kind: "document.confirmed", subject: subject(&before.slug), payload })
}

/// Stores a review and the document as it is after it; returns the review and what is journaled.
async fn record(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: &Document,
    proposal: Option<i64>,
    note: Option<Prose>,
) -> Result<(DocumentReview, Payload)> {
    let (after, document_version) = before.review(tx.at())?;
    let review = DocumentReview {
        document: before.slug.clone(),
        number: count_reviews(tx, organization, &before.slug).await? + 1,
        document_version,
        proposal,
        note,
        reviewed_by: author.actor.clone(),
        reviewed_date: tx.at(),
    };
    record::insert(tx, organization, &review).await?;
    record::replace(tx, organization, &after).await?;
    let payload = record::changes(Some(before), &after);
    Ok((review.clone(), payload.set(&field(review.number), journaled(&review))))
}

/// Up to `limit` reviews of a document, the latest first: those before the review `before`.
#[boxed]
pub async fn reviews(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    before: Option<i64>,
    limit: i64,
) -> Result<Page<DocumentReview>> {
    read::require(tx, organization, slug).await?;
    let select = of_document(organization, slug);
    let select = select.order(&["number"], Direction::Descending, before.map(Value::from));
    Ok(select.page(tx, limit).await?.map(|Stored(review)| review))
}

/// How many reviews a document has.
#[boxed]
pub async fn count_reviews(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<i64> {
    of_document(organization, slug).count(tx).await
}

/// Every review of a document as the journal has it, by its field.
pub(super) async fn all_journaled(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
) -> Result<Vec<(String, serde_json::Value)>> {
    let reviews: Vec<Stored<DocumentReview>> = of_document(organization, slug).all(tx).await?;
    Ok(reviews.iter().map(|Stored(review)| (field(review.number), journaled(review))).collect())
}

fn of_document(organization: OrgId, slug: &str) -> Select<'_, DocumentReview> {
    Select::of(organization, View::with_deleted()).filter(Filter::is("document", slug.into()))
}

/// The field of a document's entry that tells of a review.
fn field(number: i64) -> String {
    format!("reviews/{number}")
}

fn journaled(it: &DocumentReview) -> serde_json::Value {
    json!({
        "document_version": it.document_version,
        "proposal": it.proposal,
        "note": it.note,
        "reviewed_by": {"type": it.reviewed_by.kind, "id": it.reviewed_by.id},
        "reviewed_date": domain::time::format(it.reviewed_date),
    })
}

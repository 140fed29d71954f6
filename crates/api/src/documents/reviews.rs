//! `GET` and `POST /v1/documents/{id}/reviews`

use domain::document::{DocumentReview, NewDocumentReview};
use domain::{Prose, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use hyper::StatusCode;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::ActorView;

/// A review of a document without a change, or the confirmation of its latest version.
#[derive(Serialize, ToSchema, View)]
#[schema(as = DocumentReview)]
#[view(DocumentReview)]
struct ReviewView {
    /// The document's slug.
    #[schema(max_length = 80, examples("access-control"))]
    document: String,
    /// The review: 1 is the first of the document.
    #[schema(minimum = 1)]
    number: i64,
    /// The version that was reviewed: the latest at that time.
    #[schema(minimum = 1)]
    document_version: i64,
    /// The number of the proposal that confirmed it; null if one person reviewed it.
    #[schema(examples(3))]
    proposal: Option<i64>,
    /// What was reviewed and found, as Markdown.
    note: Option<Prose>,
    /// Who reviewed it.
    reviewed_by: ActorView,
    /// When it was reviewed.
    reviewed_date: Timestamp,
}

/// List a document's reviews
///
/// The latest first.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/reviews",
    operation_id = "list_document_reviews",
    tag = "Documents",
    params(crate::path::DocumentId, PageParams),
    responses(
        (status = 200, description = "Reviews", body = List<ReviewView>),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let rows = store::documents::reviews(&mut tx, organization, &slug, page.after, page.limit).await?;
    let total = page.total(store::documents::count_reviews(&mut tx, organization, &slug)).await?;
    Answer::list(&request.list(rows, total, |review: &DocumentReview| review.number, ReviewView::from))
}

/// Record a review
///
/// Somebody has reviewed the latest version, and it needs no change: the next review is due `review_every_days` later.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/reviews",
    operation_id = "review_document",
    tag = "Documents",
    params(crate::path::DocumentId),
    request_body = NewDocumentReview,
    responses(
        (status = 201, description = "Review recorded", body = ReviewView),
        (status = 404, description = "Document not found, or Version not found: it was never published"),
        (status = 409, description = "The document is archived"),
    )
)]
pub(crate) async fn record(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let new = request.json(json::body::<NewDocumentReview>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::documents::review(tx, organization, author, &slug, &new).await
            },
            |review| {
                // Reviews are read as a list, so this response carries no entity tag.
                let location = Some(format!("/v1/documents/{}/reviews", review.document));
                Ok(Answer {
                    status: StatusCode::CREATED,
                    location,
                    ..Answer::outcome(&ReviewView::from(review))?
                })
            },
        )
        .await
}

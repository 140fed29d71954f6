//! `POST /v1/documents/{id}/archive` and `…/restore`

use domain::document::{Archived, Archiving};
use domain::{ExpectedVersion, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::view::DocumentView;

/// An archived document, and what ended with it.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ArchivedDocument)]
#[view(Archived)]
struct ArchivedView {
    /// The document, without its items.
    document: DocumentView,
    /// The number of the proposal that was withdrawn; null if none was open or submitted.
    #[schema(examples(3))]
    withdrawn_proposal: Option<i64>,
    /// The number of requests to acknowledge it that ended.
    #[schema(format = Int32, examples(2))]
    ended_requests: i64,
}

/// Archive a document
///
/// A document that is no longer in use takes no edits and asks nobody to acknowledge it. Its open proposal is withdrawn, its
/// requests to acknowledge end, and the response says so. Its versions stay.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/archive",
    operation_id = "archive_document",
    tag = "Documents",
    params(crate::path::DocumentId),
    request_body = Archiving,
    responses(
        (status = 200, description = "Document archived", body = ArchivedView),
        (status = 404, description = "Document not found"),
        (status = 409, description = "It is archived already (`document_archived`)"),
    )
)]
pub(crate) async fn archive(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let archiving = request.json(json::body::<Archiving>).await?;
    request
        .write(
            async move |tx, organization, author| {
                let any = ExpectedVersion::Any;
                store::archiving::archive(tx, organization, author, &slug, &any, &archiving).await
            },
            |archived| Answer::outcome(&ArchivedView::from(archived)),
        )
        .await
}

/// Restore a document
///
/// Takes an archived document into use again. What ended when it was archived stays ended. A document that is in use stays as it is.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/restore",
    operation_id = "restore_document",
    tag = "Documents",
    params(crate::path::DocumentId),
    responses(
        (status = 200, description = "Document restored", body = DocumentView),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn restore(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    request.no_body()?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::archiving::restore(tx, organization, author, &slug, &expected).await
            },
            |it| Answer::record(it.document.version, &DocumentView::from(it)),
        )
        .await
}

//! `POST /v1/documents`

use domain::document::{self, NewDocument};
use domain::json::body;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::view::DocumentView;

/// Create a document
///
/// Creates a policy document with its items. It is a draft until its first proposal is approved.
#[utoipa::path(
    post,
    path = "/v1/documents",
    operation_id = "create_document",
    tag = "Documents",
    request_body = NewDocument,
    responses(
        (status = 201, description = "Document created", body = DocumentView),
        (status = 409, description = "The slug is in use"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json_of(document::MAX_ITEMS, body::<NewDocument>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::documents::create(tx, organization, author, &new).await
            },
            |document| {
                let location = format!("/v1/documents/{}", document.document.slug);
                Answer::created(location, document.document.version, &DocumentView::from(document))
            },
        )
        .await
}

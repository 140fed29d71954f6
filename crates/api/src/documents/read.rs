//! `GET /v1/documents/{id}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::view::DocumentView;

/// Read a document
///
/// Returns a document with its items and their published values.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}",
    operation_id = "read_document",
    tag = "Documents",
    params(crate::path::DocumentId),
    responses(
        (status = 200, description = "The document", body = DocumentView),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let document = store::documents::read(&mut tx, request.organization(), &slug).await?;
    Answer::record(document.document.version, &DocumentView::from(document))
}

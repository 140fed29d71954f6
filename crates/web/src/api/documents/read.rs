//! `GET /v1/documents/{id}`

use super::view::DocumentView;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;

/// Read a document
///
/// With its items and their published values.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}",
    operation_id = "read_document",
    tag = "Documents",
    params(("id" = String, Path, description = "The document slug")),
    responses(
        (status = 200, description = "The document", body = DocumentView),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn read(call: Call) -> Result<Answer> {
    let slug = super::slug(&call)?;
    call.no_query()?;
    let mut tx = call.app.db().read().await?;
    let document = store::documents::get(&mut tx, call.organization(), &slug).await?;
    Answer::record(document.document.version, &DocumentView::from(document))
}

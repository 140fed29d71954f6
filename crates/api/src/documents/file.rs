//! `GET /v1/documents/{id}/file`

use axum::response::Response;
use domain::document::file;
use http::api_request::ApiRequest;
use http::download;
use http::error::Result;
use utoipa::ToSchema;

/// Markdown behind YAML.
#[derive(ToSchema)]
#[schema(examples(
    "---\nslug: clear-desk\ntitle: Clear desk policy\nclassification: internal\nlanguage: en\n---\n# Rule\n\nLock your screen.\n"
))]
#[expect(dead_code, reason = "it only describes the response")]
struct DocumentFile(String);

/// Read a document as a file
///
/// The template as Markdown, behind YAML with the items and what else a file has; without values and owner. Importing it
/// elsewhere makes the same document, whose file is the same.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/file",
    operation_id = "read_document_file",
    tag = "Documents",
    params(crate::path::DocumentId),
    responses(
        (status = 200, description = "The file", body = inline(DocumentFile), content_type = "text/markdown"),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Response> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let document = store::documents::get(&mut tx, request.organization(), &slug).await?;
    let file = file::write(&document.as_new()).into_bytes();
    Ok(download::whole(&format!("{slug}.md"), "text/markdown; charset=utf-8", file))
}

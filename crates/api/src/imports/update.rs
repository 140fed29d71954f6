//! `PATCH /v1/imports/{id}`

use domain::import::Import;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::imports::ImportPatch;

use super::{ImportView, named};

/// Change an import
///
/// Chooses another sheet, other header rows or what columns are, and answers questions. What is not sent stays. Another sheet or
/// header means other columns, which are proposed again. An answer to a question that the same change makes unnecessary is not
/// kept. An import of which rows are written takes no change.
#[utoipa::path(
    patch,
    path = "/v1/imports/{id}",
    operation_id = "update_import",
    tag = "Imports",
    params(("id" = Uuid, Path, description = "Import id")),
    request_body(content(
        (ImportPatch = "application/json"),
        (ImportPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The import", body = ImportView),
        (status = 404, description = "Import not found"),
        (status = 409, description = "It is over, or rows are written already (`import_over`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = named(&request)?;
    request.no_query()?;
    let patch = request.merge_patch(json::body::<ImportPatch>).await?;
    let expected = request.expected_version();
    let respond = |import: Import| Answer::record(import.version, &ImportView::from(import));
    lists::imports::update(request.into_write(), id, expected, patch, respond).await
}

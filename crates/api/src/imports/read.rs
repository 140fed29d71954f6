//! `GET /v1/imports/{id}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{ImportView, named, require};

/// Read an import
///
/// With what is proposed, what was answered, and how far it is.
#[utoipa::path(
    get,
    path = "/v1/imports/{id}",
    operation_id = "read_import",
    tag = "Imports",
    params(("id" = Uuid, Path, description = "Import id")),
    responses(
        (status = 200, description = "The import", body = ImportView),
        (status = 404, description = "Import not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = named(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let import = store::imports::get(&mut tx, request.organization(), &request.viewer(), id).await?;
    require(&request, import.kind)?;
    Answer::record(import.version, &ImportView::from(import))
}

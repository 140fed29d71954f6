//! `DELETE /v1/imports/{id}`

use domain::{ImportId, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::by_path;

/// Cancel an import
///
/// Ends it and removes its file. What it has written stays.
#[utoipa::path(
    delete,
    path = "/v1/imports/{id}",
    operation_id = "cancel_import",
    tag = "Imports",
    params(("id" = Uuid, Path, description = "Import id")),
    responses(
        (status = 204, description = "Import cancelled"),
        (status = 404, description = "Import not found"),
        (status = 409, description = "It is over (`import_over`)"),
    )
)]
pub(crate) async fn cancel(request: ApiRequest) -> Result<Answer> {
    by_path::delete(request, ResourceKind::Import, ImportId::parse, store::imports::cancel).await
}

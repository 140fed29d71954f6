//! `DELETE /v1/views/{id}`

use domain::{ResourceKind, SavedViewId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::by_path;

/// Delete a saved view
///
/// Deletes the view permanently; its records are not affected. A shared one needs `incidents:write` or `risks:write`,
/// by its list.
#[utoipa::path(
    delete,
    path = "/v1/views/{id}",
    operation_id = "delete_view",
    tag = "Views",
    params(("id" = Uuid, Path, description = "View id")),
    responses(
        (status = 204, description = "View deleted"),
        (status = 404, description = "View not found"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    by_path::delete(request, ResourceKind::SavedView, SavedViewId::parse, store::saved_views::delete).await
}

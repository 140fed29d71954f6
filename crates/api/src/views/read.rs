//! `GET /v1/views/{id}`

use domain::{ResourceKind, SavedViewId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::SavedViewView;

/// Read a saved view
///
/// Returns a view of the caller's or a shared one, of a list that the caller reads.
#[utoipa::path(
    get,
    path = "/v1/views/{id}",
    operation_id = "read_view",
    tag = "Views",
    params(("id" = Uuid, Path, description = "View id")),
    responses(
        (status = 200, description = "The view", body = SavedViewView),
        (status = 404, description = "View not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::SavedView, SavedViewId::parse)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let view = store::saved_views::get(&mut tx, request.organization(), &request.view_reader(), id).await?;
    Answer::record(view.version, &SavedViewView::from(view))
}

//! `POST /v1/views`

use domain::saved_view::NewSavedView;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::input::saved_views;

use super::SavedViewView;

/// Save a view
///
/// The caller must read the list, and needs `incidents:write`, `risks:write` or `documents:write` to share a view of it. An owner has at most
/// 100 views.
#[utoipa::path(
    post,
    path = "/v1/views",
    operation_id = "create_view",
    tag = "Views",
    request_body = NewSavedView,
    responses(
        (status = 201, description = "View saved", body = SavedViewView),
        (status = 404, description = "View not found: it was created under this `Idempotency-Key` and is absent by now"),
        (status = 409, description = "The name is in use (`name_taken`), or the caller has 100 views (`too_many_views`)"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(saved_views::read_new).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::saved_views::create(tx, organization, author, &new).await
            },
            |view| {
                Answer::created(format!("/v1/views/{}", view.id), view.version, &SavedViewView::from(view))
            },
        )
        .await
}

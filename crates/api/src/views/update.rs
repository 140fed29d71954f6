//! `PATCH /v1/views/{id}`

use domain::saved_view::SavedViewPatch;
use domain::{ResourceKind, SavedViewId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::input::saved_views;

use super::SavedViewView;

/// Change a saved view
///
/// A filter that is sent replaces its earlier values, null takes it away, and the others stay. A view that is shared,
/// before the change or after it, needs `incidents:write`, `risks:write` or `documents:write`, by its list. A patch that changes nothing
/// does not change the version.
#[utoipa::path(
    patch,
    path = "/v1/views/{id}",
    operation_id = "update_view",
    tag = "Views",
    params(("id" = Uuid, Path, description = "View id")),
    request_body(content(
        (SavedViewPatch = "application/json"),
        (SavedViewPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The view", body = SavedViewView),
        (status = 404, description = "View not found"),
        (status = 409, description = "The name is in use"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::SavedView, SavedViewId::parse)?;
    request.no_query()?;
    let reader = request.view_reader();
    let patch = request
        .merge_patch_of_record(saved_views::read_patch, async move |tx, organization, patch, _| {
            store::saved_views::patch_faults(tx, organization, &reader, id, patch, saved_views::check).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::saved_views::update(
                    tx,
                    organization,
                    author,
                    id,
                    &expected,
                    &patch,
                    saved_views::check,
                )
                .await
            },
            |view| Answer::record(view.version, &SavedViewView::from(view)),
        )
        .await
}

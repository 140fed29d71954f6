//! `PATCH /v1/groups/{id}`

use domain::group::GroupPatch;
use domain::{GroupId, ResourceKind, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::GroupView;

/// Change a group
///
/// A patch that changes nothing does not change the version.
#[utoipa::path(
    patch,
    path = "/v1/groups/{id}",
    operation_id = "update_group",
    tag = "Groups",
    params(("id" = inline(GroupId), Path, description = "Group id")),
    request_body = GroupPatch,
    responses(
        (status = 200, description = "The group", body = GroupView),
        (status = 404, description = "Group not found"),
        (status = 409, description = "The name is in use"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Group, GroupId::parse)?;
    request.no_query()?;
    let patch = request.merge_patch(json::body::<GroupPatch>).await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::groups::update(tx, organization, author, id, &expected, &patch).await
            },
            |group| Answer::record(group.version, &GroupView::from(group)),
        )
        .await
}

//! `GET /v1/groups/{id}`

use domain::{GroupId, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::GroupView;

/// Read a group
///
/// Returns a group of the organization.
#[utoipa::path(
    get,
    path = "/v1/groups/{id}",
    operation_id = "read_group",
    tag = "Groups",
    params(("id" = inline(GroupId), Path, description = "Group id")),
    responses(
        (status = 200, description = "The group", body = GroupView),
        (status = 404, description = "Group not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Group, GroupId::parse)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let group = store::groups::get(&mut tx, request.organization(), id).await?;
    Answer::record(group.version, &GroupView::from(group))
}

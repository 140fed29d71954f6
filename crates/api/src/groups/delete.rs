//! `DELETE /v1/groups/{id}`

use domain::{GroupId, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::by_path;

/// Delete a group
///
/// Its members leave it and stay members of the organization. The name can be used again. The journal keeps who was in it.
#[utoipa::path(
    delete,
    path = "/v1/groups/{id}",
    operation_id = "delete_group",
    tag = "Groups",
    params(("id" = inline(GroupId), Path, description = "Group id")),
    responses(
        (status = 204, description = "Group deleted"),
        (status = 404, description = "Group not found"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    by_path::delete(request, ResourceKind::Group, GroupId::parse, store::groups::delete).await
}

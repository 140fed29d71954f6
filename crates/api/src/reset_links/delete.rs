//! `DELETE /v1/users/{id}/reset-link`

use domain::{ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::by_path;

/// Withdraw a reset link
///
/// The open reset link of a member becomes invalid. Unlike its creation, this needs no scope of the member.
#[utoipa::path(
    delete,
    path = "/v1/users/{id}/reset-link",
    operation_id = "delete_reset_link",
    tag = "Users",
    params(("id" = inline(UserId), Path, description = "User id")),
    responses(
        (status = 204, description = "Reset link withdrawn"),
        (status = 404, description = "Reset link not found"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    by_path::delete_unversioned(request, ResourceKind::ResetLink, UserId::parse, store::reset_links::withdraw)
        .await
}

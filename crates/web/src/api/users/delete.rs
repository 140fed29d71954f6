//! `DELETE /v1/users/{id}`

use domain::{ResourceKind, UserId};

use crate::api::by_path;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;

/// Remove a user
///
/// Removes a person from the organization: their sessions in it end at once and an open invitation is withdrawn.
/// Records that name the person are not changed. The caller must have every scope of the role and of that invitation.
/// The last admin who can sign in cannot be removed.
#[utoipa::path(
    delete,
    path = "/v1/users/{id}",
    operation_id = "delete_user",
    tag = "Users",
    params(("id" = Uuid, Path, description = "User id")),
    responses(
        (status = 204, description = "User removed"),
        (status = 404, description = "User not found"),
        (status = 409, description = "The last admin who can sign in stays (`last_admin`)"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    by_path::delete(request, ResourceKind::User, UserId::parse, store::people::remove).await
}

//! `DELETE /v1/users/{id}`

use domain::{ResourceKind, UserId};

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
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::User, UserId::parse)?;
    request.no_query()?;
    request.no_body()?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::people::remove(tx, organization, author, id, &expected).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

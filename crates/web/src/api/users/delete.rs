//! `DELETE /v1/users/{id}`

use db::Tx;
use domain::{Noun, UserId};

use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;

/// Remove a user
///
/// Takes a person out of the organization: their sessions here end at once and an open invitation is
/// withdrawn. Records that name them go on doing so. The caller must have every scope of the role, and of
/// that invitation. The last admin who can sign in stays.
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
pub(crate) async fn delete(mut call: Call) -> Result<Answer> {
    let id = call.path(0, Noun::User, UserId::parse)?;
    call.no_query()?;
    call.no_body()?;
    let (organization, author, expected) = (call.organization(), call.author(), call.expected_version());
    call.write(async move |tx: &mut Tx| {
        store::people::remove(tx, organization, &author, id, &expected).await?;
        Ok(Answer::no_content())
    })
    .await
}

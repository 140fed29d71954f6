//! `DELETE /v1/invitations/{id}`

use domain::{InvitationId, ResourceKind};

use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;

/// Withdraw an invitation
///
/// The invitation's link becomes invalid. The caller must have every scope of the invitation's role.
#[utoipa::path(
    delete,
    path = "/v1/invitations/{id}",
    operation_id = "delete_invitation",
    tag = "Invitations",
    params(("id" = Uuid, Path, description = "Invitation id")),
    responses(
        (status = 204, description = "Invitation withdrawn"),
        (status = 404, description = "Invitation not found"),
    )
)]
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Invitation, InvitationId::parse)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::invitations::withdraw(tx, organization, author, id).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

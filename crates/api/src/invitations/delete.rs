//! `DELETE /v1/invitations/{id}`

use domain::{InvitationId, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::by_path;

/// Withdraw an invitation
///
/// The invitation's link becomes invalid. The caller must have every scope of the invitation's roles.
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
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    by_path::delete_unversioned(
        request,
        ResourceKind::Invitation,
        InvitationId::parse,
        store::invitations::withdraw,
    )
    .await
}

//! `GET /v1/invitations/{id}`

use domain::{InvitationId, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::InvitationView;

/// Read an invitation
///
/// Returns an open invitation, without its link.
#[utoipa::path(
    get,
    path = "/v1/invitations/{id}",
    operation_id = "read_invitation",
    tag = "Invitations",
    params(("id" = Uuid, Path, description = "Invitation id")),
    responses(
        (status = 200, description = "The invitation", body = InvitationView),
        (status = 404, description = "Invitation not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Invitation, InvitationId::parse)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let invitation = store::invitations::get(&mut tx, request.organization(), id).await?;
    Answer::record(None, &InvitationView::from(invitation))
}

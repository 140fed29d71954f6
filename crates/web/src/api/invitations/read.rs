//! `GET /v1/invitations/{id}`

use domain::{InvitationId, Noun};

use super::InvitationView;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;

/// Read an invitation
///
/// One that is open; its link is not shown again.
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
pub(crate) async fn read(call: Call) -> Result<Answer> {
    let id = call.path(0, Noun::Invitation, InvitationId::parse)?;
    call.no_query()?;
    let mut tx = call.app.db().read().await?;
    let invitation = store::invitations::get(&mut tx, call.organization(), id).await?;
    Answer::record(None, &InvitationView::from(invitation))
}

//! `DELETE /v1/invitations/{id}`

use db::Tx;
use domain::{InvitationId, Noun};

use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;

/// Withdraw an invitation
///
/// Its link works no more. The caller must have every scope of its role.
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
pub(crate) async fn delete(mut call: Call) -> Result<Answer> {
    let id = call.path(0, Noun::Invitation, InvitationId::parse)?;
    call.no_query()?;
    call.no_body()?;
    let (organization, author) = (call.organization(), call.author());
    call.write(async move |tx: &mut Tx| {
        store::invitations::withdraw(tx, organization, &author, id).await?;
        Ok(Answer::no_content())
    })
    .await
}

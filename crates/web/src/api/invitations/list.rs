//! `GET /v1/invitations`

use domain::InvitationId;
use uuid::Uuid;

use super::InvitationView;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;
use crate::page::{List, PageParams};

/// List invitations
///
/// Those that are open, the oldest first.
#[utoipa::path(
    get,
    path = "/v1/invitations",
    operation_id = "list_invitations",
    tag = "Invitations",
    params(PageParams),
    responses((status = 200, description = "Invitations", body = List<InvitationView>))
)]
pub(crate) async fn list(call: Call) -> Result<Answer> {
    let mut query = call.query();
    let page = call.page::<Uuid>(&mut query);
    query.finish()?;
    let after = page.after.map(InvitationId);
    let mut tx = call.app.db().read().await?;
    let rows = store::invitations::list(&mut tx, call.organization(), after, page.limit).await?;
    let total = page.total(store::invitations::count(&mut tx, call.organization())).await?;
    Answer::list(&call.list(rows, total, |invitation| invitation.id.uuid(), InvitationView::from))
}

//! `GET /v1/invitations`

use domain::InvitationId;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use uuid::Uuid;

use super::InvitationView;

/// List invitations
///
/// The open invitations, the oldest first.
#[utoipa::path(
    get,
    path = "/v1/invitations",
    operation_id = "list_invitations",
    tag = "Invitations",
    params(PageParams),
    responses((status = 200, description = "Invitations", body = List<InvitationView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<Uuid>(&mut query);
    query.finish()?;
    let after = page.after.map(InvitationId);
    let mut tx = request.app.db().read().await?;
    let rows = store::invitations::list(&mut tx, request.organization(), after, page.limit).await?;
    let total = page.total(store::invitations::count(&mut tx, request.organization())).await?;
    Answer::list(&request.list(rows, total, |invitation| invitation.id.uuid(), InvitationView::from))
}

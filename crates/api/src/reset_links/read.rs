//! `GET /v1/users/{id}/reset-link`

use domain::reset_link::ResetLink;
use domain::{ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::ActorView;

/// An open reset link.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ResetLink)]
#[view(ResetLink)]
struct ResetLinkView {
    /// When the link was created.
    created_date: Timestamp,
    /// When the link expires: 30 minutes after it was created.
    expires_date: Timestamp,
    /// Who created the link.
    created_by: ActorView,
}

/// Read a reset link
///
/// Says whether a member has an open reset link, and who created it; the link itself is not shown again.
#[utoipa::path(
    get,
    path = "/v1/users/{id}/reset-link",
    operation_id = "read_reset_link",
    tag = "Users",
    params(("id" = inline(UserId), Path, description = "User id")),
    responses(
        (status = 200, description = "The reset link", body = ResetLinkView),
        (status = 404, description = "Reset link not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::ResetLink, UserId::parse)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let link = store::reset_links::open(&mut tx, request.organization(), id).await?;
    Answer::record(None, &ResetLinkView::from(link.ok_or(Error::not_found(ResourceKind::ResetLink))?))
}

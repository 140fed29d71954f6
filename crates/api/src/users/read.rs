//! `GET /v1/users/{id}`

use domain::{ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};

use super::UserView;

/// Read a user
///
/// Returns a member of the organization.
#[utoipa::path(
    get,
    path = "/v1/users/{id}",
    operation_id = "read_user",
    tag = "Users",
    params(("id" = inline(UserId), Path, description = "User id")),
    responses(
        (status = 200, description = "The user", body = UserView),
        (status = 404, description = "User not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::User, UserId::parse)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let member = store::people::get(&mut tx, request.organization(), id).await?;
    let member = member.ok_or(Error::not_found(ResourceKind::User))?;
    Answer::record(member.version, &UserView::from(member))
}

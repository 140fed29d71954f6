//! `GET /v1/users/{id}`

use domain::{Noun, UserId};

use super::UserView;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::{Error, Result};

/// Read a user
///
/// A member of the organization.
#[utoipa::path(
    get,
    path = "/v1/users/{id}",
    operation_id = "read_user",
    tag = "Users",
    params(("id" = Uuid, Path, description = "User id")),
    responses(
        (status = 200, description = "The user", body = UserView),
        (status = 404, description = "User not found"),
    )
)]
pub(crate) async fn read(call: Call) -> Result<Answer> {
    let id = call.path(0, Noun::User, UserId::parse)?;
    call.no_query()?;
    let mut tx = call.app.db().read().await?;
    let member = store::people::get(&mut tx, call.organization(), id).await?;
    let member = member.ok_or(Error::not_found(Noun::User))?;
    Answer::record(member.version, &UserView::from(member))
}

//! `POST /v1/me/password`

use auth::people::Passwords;
use auth::people::{PasswordChange, change_password};
use domain::json;
use domain::{ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};

use crate::session::own;

/// Change your own password
///
/// Ends every other session of the person, in every organization; the session of the request's token continues. A
/// wrong current password counts as a failed sign-in, and failures from one address make that address wait.
/// `Idempotency-Key` is not supported, because nothing of a request with a password is stored.
#[utoipa::path(
    post,
    path = "/v1/me/password",
    operation_id = "change_password",
    tag = "Session",
    request_body = Passwords,
    responses(
        (status = 204, description = "Password changed"),
        (status = 401, description = "The old password is wrong: Invalid credentials"),
        (status = 404, description = "The token is a client's: it has no password"),
        (status = 409, description = "The password was changed at the same moment (`password_changed`)"),
    )
)]
pub(crate) async fn change(mut request: ApiRequest) -> Result<Answer> {
    let session = own(&request)?;
    request.no_query()?;
    let Passwords { old, new } = request.json(json::body).await?;
    request.expected_version().check_without_version()?;
    let organization = request.organization();
    let person = UserId::parse(&request.actor().id).ok_or(Error::not_found(ResourceKind::Session))?;
    let asked = PasswordChange { organization, person, session: (organization, session), old, new };
    change_password(request.app.auth(), asked, request.author(), request.source()).await?;
    Ok(Answer::no_content())
}

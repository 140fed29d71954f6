//! `POST /v1/reset-links/use`

use auth::people::Reset;
use auth::people::reset_password;
use domain::json;
use http::answer::Answer;
use http::error::Result;
use http::open_request::OpenRequest;

/// Use a reset link
///
/// Sets the password of the person of the link, and ends their sessions in every organization. A link works once, while
/// its creator could still create it, and not after the password was changed.
#[utoipa::path(
    post,
    path = "/v1/reset-links/use",
    operation_id = "use_reset_link",
    tag = "Users",
    request_body = Reset,
    responses(
        (status = 204, description = "Password set"),
        (status = 404, description = "The link was used, replaced by a newer one or made up, has run out, or the member, their password or the rights of its maker have changed since (`reset_link_not_valid`)"),
        (status = 409, description = "The person has joined another organization since (`member_elsewhere`), or become an operator of the service (`member_is_operator`)"),
    )
)]
pub(crate) async fn redeem(mut request: OpenRequest) -> Result<Answer> {
    request.no_query()?;
    let asked = request.json(json::body::<Reset>).await?;
    reset_password(request.app.auth(), asked, &request.source).await?;
    Ok(Answer::no_content())
}

//! `POST /v1/users/{id}/reset-link`

use auth::secret::ResetToken;
use auth::secret_link;
use domain::{ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::timestamp::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// A new reset link.
#[derive(Serialize, ToSchema)]
#[schema(as = NewResetLink)]
struct NewResetLinkView {
    /// The link to send to the person. It is shown only once, works once, and must be kept secret.
    #[schema(
        format = "uri",
        max_length = 2048,
        examples("https://bailiwick.example.org/reset-password#bwr_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm")
    )]
    link: String,
    /// When the link expires: 30 minutes after it was created.
    expires_date: Timestamp,
}

/// Create a reset link
///
/// Creates a link for a member who forgot their password to choose a new one; it is valid for 30 minutes, and ends
/// their sessions when it is used. An earlier link of the member is withdrawn. Anyone who opens the link gets the
/// access of the member, so the caller must have every scope of the member's roles, and `incidents:restricted`, because
/// a member also sees the restricted incidents that name them. A password belongs to the person: a member who belongs
/// to another organization too gets another one from the operator of the service only, and so does an operator. For
/// oneself there is `POST /v1/me/password`.
#[utoipa::path(
    post,
    path = "/v1/users/{id}/reset-link",
    operation_id = "create_reset_link",
    tag = "Users",
    params(("id" = inline(UserId), Path, description = "User id")),
    responses(
        (status = 201, description = "Reset link created", body = NewResetLinkView),
        (status = 404, description = "User not found"),
        (status = 409, description = "The member belongs to another organization too (`member_elsewhere`), is an operator of the service (`member_is_operator`), accepted no invitation (`member_cannot_sign_in`), or is the caller (`own_password`)"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::User, UserId::parse)?;
    request.no_query()?;
    request.no_body()?;
    // Generated before the write, which may run twice.
    let token = ResetToken::generate(&**request.app.db().random());
    let link = secret_link::reset(&request.app.auth().public_url, &token);
    let hash = token.hash();
    request
        .write(
            async move |tx, organization, author| {
                store::reset_links::create(tx, organization, author, id, &hash).await
            },
            move |made| {
                let view = NewResetLinkView { link: link.clone(), expires_date: made.expires_date.into() };
                Answer::shown_once(format!("/v1/users/{id}/reset-link"), &view)
            },
        )
        .await
}

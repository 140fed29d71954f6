//! `POST /v1/invitations`

use auth::secret::InvitationToken;
use auth::secret_link;
use domain::json;
use domain::person::NewMember;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use serde::Serialize;
use utoipa::ToSchema;

use super::InvitationView;

/// A new invitation with its link.
#[derive(Serialize, ToSchema)]
#[schema(as = NewInvitation)]
struct NewInvitationView {
    /// The link to send to the invited person. It is shown only once, works once, and must be kept secret.
    #[schema(
        format = "uri",
        max_length = 2048,
        examples("https://bailiwick.example.org/invitation#bwi_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm")
    )]
    link: String,
    /// The invitation.
    #[serde(flatten)]
    invitation: InvitationView,
}

/// Invite a user
///
/// Creates a link with which a person becomes a member who can sign in; it is valid for 7 days. An earlier invitation
/// of the same address is withdrawn. A member who cannot sign in yet may be invited, and gets this name and these
/// roles at once. The caller must have every scope of the new roles, and of the roles or invitation that they replace. The
/// response does not reveal whether the address is known to other organizations.
#[utoipa::path(
    post,
    path = "/v1/invitations",
    operation_id = "create_invitation",
    tag = "Invitations",
    request_body = NewMember,
    responses(
        (status = 201, description = "Invitation created", body = NewInvitationView),
        (status = 404, description = "Invitation not found: it was created under this `Idempotency-Key` and is absent by now"),
        (status = 409, description = "Already a member of the organization, who can sign in"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(json::body::<NewMember>).await?;
    // Generated before the write, which may run twice.
    let token = InvitationToken::generate(&**request.app.db().random());
    let link = secret_link::invitation(&request.app.auth().public_url, &token);
    let hash = token.hash();
    let answer = request.write(
        async move |tx, organization, author| {
            store::invitations::create(tx, organization, author, &new, &hash).await
        },
        move |made| {
            let location = format!("/v1/invitations/{}", made.id);
            Answer::shown_once(location, &NewInvitationView { link: link.clone(), invitation: made.into() })
        },
    );
    answer.await
}

//! `POST /v1/invitations/accept`

use domain::{Faults, ResourceKind, person};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::shared::OrganizationNameView;
use crate::api::users::UserView;
use crate::http::answer::Answer;
use crate::http::error::{Error, Result};
use crate::http::json::{Fields, Json, Pointer};
use crate::http::open_request::OpenRequest;
use crate::oauth::secret::InvitationToken;
use crate::oauth::{Accept, Password};

/// The token of an invitation, and the password of the person who accepts it.
#[derive(ToSchema)]
#[schema(as = AcceptInvitation)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct AcceptInput {
    /// The part of the invitation's link after `#`.
    #[schema(max_length = 128, examples("bwi_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm"))]
    token: String,
    /// At least 12 characters. It becomes the person's password. If the person already has a password, from another
    /// organization of this service, it must be that one.
    #[schema(min_length = 12, max_length = 128, format = Password, examples("correct horse battery"))]
    password: String,
    /// The display name, if it shall differ from the name in the invitation.
    #[schema(min_length = 1, max_length = 200, examples("Ada King"))]
    name: Option<String>,
}

/// A member who can sign in.
#[derive(Serialize, ToSchema)]
#[schema(as = Membership)]
struct MembershipView {
    /// The organization, whose id is used to sign in.
    organization: OrganizationNameView,
    /// The member.
    user: UserView,
}

/// Accept an invitation
///
/// Makes the invited person a member who can sign in, and sets the password if the person has none. An invitation
/// works once, and only while its creator could still grant the role.
#[utoipa::path(
    post,
    path = "/v1/invitations/accept",
    operation_id = "accept_invitation",
    tag = "Invitations",
    request_body = AcceptInput,
    responses(
        (status = 200, description = "Invitation accepted", body = MembershipView),
        (status = 401, description = "The person has another password: Invalid credentials"),
        (status = 404, description = "The invitation was used or withdrawn, has run out, or its maker could not give the role now (`invitation_not_valid`)"),
        (status = 409, description = "The password was changed at the same moment (`password_changed`)"),
    )
)]
pub(crate) async fn accept(mut request: OpenRequest) -> Result<Answer> {
    request.no_query()?;
    let asked = request.json(read_body).await?;
    let (id, member) = request.app.oauth().accept(asked, &request.source).await?;
    let mut tx = request.app.db().read().await?;
    let organization = store::organizations::get(&mut tx, id).await?;
    let organization = organization.ok_or(Error::not_found(ResourceKind::Organization))?;
    let view = MembershipView { organization: (&organization).into(), user: member.into() };
    Answer::outcome(&view)
}

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<Accept> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let token = fields.required::<String>("token");
    let password = fields.required::<String>("password");
    let name = fields.optional_text("name", person::name);
    fields.finish();
    Some(Accept { token: InvitationToken::parse(&token?), password: Password::new(password?), name })
}

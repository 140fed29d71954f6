//! `POST /v1/invitations/accept`

use auth::people::Accept;
use auth::people::accept_invitation;
use domain::ResourceKind;
use domain::json;
use http::answer::Answer;
use http::error::{Error, Result};
use http::open_request::OpenRequest;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::OrganizationNameView;
use crate::users::UserView;

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
/// works once, and only while its creator could still grant the roles.
#[utoipa::path(
    post,
    path = "/v1/invitations/accept",
    operation_id = "accept_invitation",
    tag = "Invitations",
    request_body = Accept,
    responses(
        (status = 200, description = "Invitation accepted", body = MembershipView),
        (status = 401, description = "The person has another password: Invalid credentials"),
        (status = 404, description = "The invitation was used or withdrawn, has run out, or its maker could not give the roles now (`invitation_not_valid`)"),
        (status = 409, description = "The password was changed at the same moment (`password_changed`)"),
    )
)]
pub(crate) async fn accept(mut request: OpenRequest) -> Result<Answer> {
    request.no_query()?;
    let asked = request.json(json::body::<Accept>).await?;
    let (id, member) = accept_invitation(request.app.auth(), asked, &request.source).await?;
    let mut tx = request.app.db().read().await?;
    let organization = store::organizations::get(&mut tx, id).await?;
    let organization = organization.ok_or(Error::not_found(ResourceKind::Organization))?;
    let view = MembershipView { organization: (&organization).into(), user: member.into() };
    Answer::outcome(&view)
}

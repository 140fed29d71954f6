//! Invitations, with which a member becomes able to sign in.

pub(crate) mod accept;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod read;

use domain::Line;
use domain::invitation::Invitation;
use domain::person::EmailAddress;
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::ActorView;
use crate::users::RoleView;

/// An open invitation.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Invitation)]
#[view(Invitation)]
pub struct InvitationView {
    /// Its id.
    id: Uuid,
    /// The name that the organization will show.
    #[schema(min_length = 1, max_length = 200, examples("Ada"))]
    name: String,
    /// The invited person's e-mail address.
    #[schema(value_type = EmailAddress)]
    email: String,
    /// The job title that the person gets; null for none.
    job_title: Option<Line>,
    /// The first of the roles.
    #[view(it.roles.first())]
    role: RoleView,
    /// The roles that the person gets.
    #[schema(min_items = 1, max_items = 7)]
    #[view(it.roles.iter())]
    roles: Vec<RoleView>,
    /// When the invitation was created.
    created_date: Timestamp,
    /// When the invitation expires: 7 days after it was created.
    expires_date: Timestamp,
    /// Who created the invitation.
    invited_by: ActorView,
}

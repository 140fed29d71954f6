//! A person's session: signing in and signing out.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod read;

use domain::SessionId;
use domain::organization::Organization;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::timestamp::Timestamp;
use serde::Serialize;
use store::sessions::Session;
use utoipa::ToSchema;

use crate::shared::{OrganizationNameView, PersonView};
use crate::users::RoleView;

/// The session of a person.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
pub(crate) struct SessionView {
    /// When the session expires: 12 hours after its last use, and at the latest 30 days after signing in.
    expires_date: Timestamp,
    /// The user who signed in.
    user: PersonView,
    /// The first of the user's current roles.
    role: RoleView,
    /// The user's current roles.
    #[schema(min_items = 1, max_items = 7)]
    roles: Vec<RoleView>,
    /// The organization that the session gives access to.
    organization: OrganizationNameView,
}

impl SessionView {
    fn of(session: Session, organization: &Organization, last_used: jiff::Timestamp) -> Self {
        Self {
            expires_date: session.ends(last_used).into(),
            user: session.member.person.into(),
            role: session.member.roles.first().into(),
            roles: session.member.roles.iter().map(Into::into).collect(),
            organization: organization.into(),
        }
    }
}

/// The id of the caller's session; a client has none.
pub(crate) fn own(request: &ApiRequest) -> Result<SessionId> {
    request.session().ok_or(Error::not_found(domain::ResourceKind::Session))
}

//! A person's session: signing in, and out again.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod read;

pub(crate) use create::not_too_long;

use domain::SessionId;
use domain::organization::Organization;
use jiff::Timestamp;
use serde::Serialize;
use store::sessions::Session;
use utoipa::ToSchema;

use crate::api::shared::{Moment, OrganizationNameView, PersonView};
use crate::api::users::RoleView;
use crate::api_request::ApiRequest;
use crate::error::{Error, Result};

/// The session of a person.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
pub(crate) struct SessionView {
    /// When it ends unless it is used: 12 hours after the last use, and 30 days after signing in
    /// whatever happens.
    #[schema(value_type = String, format = DateTime)]
    expires_date: Moment,
    /// Who signed in.
    user: PersonView,
    /// What they may do, now.
    role: RoleView,
    /// The organization that the session opens.
    organization: OrganizationNameView,
}

impl SessionView {
    fn of(session: Session, organization: &Organization, last_used: Timestamp) -> Self {
        Self {
            expires_date: session.ends(last_used).into(),
            user: session.member.person.into(),
            role: session.member.role.into(),
            organization: organization.into(),
        }
    }
}

/// The session of the caller; a client has none.
pub(crate) fn own(request: &ApiRequest) -> Result<SessionId> {
    request.session().ok_or(Error::not_found(domain::ResourceKind::Session))
}

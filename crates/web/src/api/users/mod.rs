//! People as the organization has them: memberships.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod read;

use domain::Role;
use domain::person::Member;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::shared::Moment;

/// A member of the organization.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub(crate) struct UserView {
    /// The same in every organization.
    id: Uuid,
    /// The name this organization uses.
    #[schema(examples("Ada"))]
    name: String,
    /// The address.
    #[schema(examples("ada@example.org"))]
    email: String,
    /// What they may do here.
    role: RoleView,
    /// When they joined this organization.
    #[schema(value_type = String, format = DateTime)]
    created_date: Moment,
}

/// Roles are sets of scopes.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[schema(as = Role)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoleView {
    /// Reads everything but the journal.
    Viewer,
    /// A viewer who works incidents.
    Responder,
    /// A responder who also deletes incidents and owns risks, tags and documents.
    Owner,
    /// A viewer who approves documents.
    Approver,
    /// May do everything.
    Admin,
}

impl From<Role> for RoleView {
    fn from(role: Role) -> Self {
        match role {
            Role::Viewer => Self::Viewer,
            Role::Responder => Self::Responder,
            Role::Owner => Self::Owner,
            Role::Approver => Self::Approver,
            Role::Admin => Self::Admin,
        }
    }
}

impl From<Member> for UserView {
    fn from(member: Member) -> Self {
        Self {
            id: member.person.id.uuid(),
            name: member.person.name,
            email: member.person.email,
            role: member.role.into(),
            created_date: member.created_date.into(),
        }
    }
}

//! Users: the memberships of people in an organization.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod update;

use domain::person::Member;
use domain::{Faults, Role};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::json::{Json, Pointer, one_of};
use crate::http::timestamp::Timestamp;

/// The members that only the service sets.
const READ_ONLY: &[&str] = &["id", "created_date", "activated_date", "version"];

/// A member of the organization.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub(crate) struct UserView {
    /// The user's id, the same in every organization.
    id: Uuid,
    /// The user's name in this organization.
    #[schema(examples("Ada"))]
    name: String,
    /// The user's e-mail address.
    #[schema(examples("ada@example.org"))]
    email: String,
    /// The user's role in this organization.
    role: RoleView,
    /// When the user was added to this organization.
    created_date: Timestamp,
    /// When the user accepted an invitation of this organization; null if they cannot sign in yet.
    activated_date: Option<Timestamp>,
    /// The version of the membership: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

/// Roles are sets of scopes.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[schema(as = Role)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoleView {
    /// Reads everything but the journal.
    Viewer,
    /// A viewer who manages incidents.
    Responder,
    /// A responder who also deletes incidents and manages risks, tags and documents.
    Owner,
    /// A viewer who approves documents.
    Approver,
    /// A viewer who reads the journal.
    Auditor,
    /// Declares incidents, and acknowledges documents.
    Staff,
    /// Has every scope.
    Admin,
}

impl From<Role> for RoleView {
    fn from(role: Role) -> Self {
        match role {
            Role::Viewer => Self::Viewer,
            Role::Responder => Self::Responder,
            Role::Owner => Self::Owner,
            Role::Approver => Self::Approver,
            Role::Auditor => Self::Auditor,
            Role::Staff => Self::Staff,
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
            activated_date: member.activated_date.map(Timestamp),
            version: member.version,
        }
    }
}

/// Reads a role.
fn role(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Role> {
    one_of(value, at, faults, Role::EXPECTED, Role::parse)
}

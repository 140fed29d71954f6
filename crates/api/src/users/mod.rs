//! Users: the memberships of people in an organization.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod duties;
pub(crate) mod export;
pub(crate) mod handover;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod update;

use domain::person::{EmailAddress, Member};
use domain::{Line, Role, UserId};
use http::timestamp::Timestamp;
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

/// A member of the organization.
#[derive(Serialize, ToSchema, View)]
#[schema(as = User, examples(json!({"activated_date": "2026-03-01T09:00:00.000000Z"})))]
#[view(Member)]
pub struct UserView {
    /// The user's id, the same in every organization.
    #[view(it.person.id)]
    id: UserId,
    /// The user's name in this organization.
    #[schema(max_length = 200, examples("Ada"))]
    #[view(it.person.name)]
    name: String,
    /// The user's e-mail address.
    #[schema(value_type = EmailAddress)]
    #[view(it.person.email)]
    email: String,
    /// The user's job title in this organization; null if they have none.
    job_title: Option<Line>,
    /// The first of the roles.
    #[view(it.roles.first())]
    role: RoleView,
    /// The user's roles in this organization: the user may do what any of them allows.
    #[schema(min_items = 1, max_items = 7)]
    #[view(it.roles.iter())]
    roles: Vec<RoleView>,
    /// When the user was added to this organization.
    created_date: Timestamp,
    /// When the user accepted an invitation of this organization; null if they cannot sign in yet.
    activated_date: Option<Timestamp>,
    /// The version of the membership: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

pub(crate) type RoleView = OneOf<Role>;

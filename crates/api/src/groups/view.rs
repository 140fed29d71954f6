//! A group as responses show it.

use domain::group::{Group, GroupName};
use domain::{GroupId, ProseOrEmpty};
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

/// A group of members of the organization.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Group, examples(json!({"name": "Engineering", "description": "Everybody who can change the product."})))]
#[view(Group)]
pub(crate) struct GroupView {
    /// The group's id.
    id: GroupId,
    /// Its name, unique without regard to case.
    name: GroupName,
    /// Whom the group is for.
    description: Option<ProseOrEmpty>,
    /// How many members it has. `GET /v1/users` lists them with the filter `group`.
    #[schema(minimum = 0)]
    #[view(it.members)]
    member_count: i64,
    /// When the group was created.
    created_date: Timestamp,
    /// When the group was last changed, or a member was added or removed.
    updated_date: Timestamp,
    /// The version: 1 at first, and 1 more with each change and each member that is added or removed.
    #[schema(minimum = 1)]
    version: i64,
}

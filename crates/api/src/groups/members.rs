//! `/v1/groups/{id}/members/{user_id}`

use db::Tx;
use domain::{Author, GroupId, OrgId, ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

/// Put a member in a group
///
/// Without a body. One who is in the group already stays, and nothing is journaled. `GET /v1/users` lists the members of a
/// group with the filter `group`. A user who is removed from the organization leaves their groups.
#[utoipa::path(
    put,
    path = "/v1/groups/{id}/members/{user_id}",
    operation_id = "put_group_member",
    tag = "Groups",
    params(
        ("id" = inline(GroupId), Path, description = "Group id"),
        ("user_id" = inline(UserId), Path, description = "User id"),
    ),
    responses(
        (status = 204, description = "The user is in the group"),
        (status = 404, description = "Group or user not found"),
    )
)]
pub(crate) async fn put(request: ApiRequest) -> Result<Answer> {
    change(request, true).await
}

/// Remove a member from a group
///
/// The user stays a member of the organization.
#[utoipa::path(
    delete,
    path = "/v1/groups/{id}/members/{user_id}",
    operation_id = "remove_group_member",
    tag = "Groups",
    params(
        ("id" = inline(GroupId), Path, description = "Group id"),
        ("user_id" = inline(UserId), Path, description = "User id"),
    ),
    responses(
        (status = 204, description = "User removed from the group"),
        (status = 404, description = "Group not found, or the user is not in it"),
    )
)]
pub(crate) async fn remove(request: ApiRequest) -> Result<Answer> {
    change(request, false).await
}

async fn change(mut request: ApiRequest, is_added: bool) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Group, GroupId::parse)?;
    let person = request.path(1, ResourceKind::User, UserId::parse)?;
    request.no_query()?;
    request.no_body()?;
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| match is_added {
        true => store::groups::add_member(tx, organization, author, id, person).await,
        false => store::groups::remove_member(tx, organization, author, id, person).await,
    };
    request.write(change, |()| Ok(Answer::no_content())).await
}

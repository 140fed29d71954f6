//! `PATCH /v1/users/{id}`

use domain::json;
use domain::person::MemberPatch;
use domain::{ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::UserView;

/// Change a user
///
/// Changes a person's name, job title or roles in this organization: `role` or `roles` replaces all of them. It also applies to existing
/// sessions. The caller must have every scope of the roles that are given or taken. The last admin who can sign in keeps that
/// role. A patch that changes nothing does not change the version.
#[utoipa::path(
    patch,
    path = "/v1/users/{id}",
    operation_id = "update_user",
    tag = "Users",
    params(("id" = inline(UserId), Path, description = "User id")),
    request_body = MemberPatch,
    responses(
        (status = 200, description = "The user", body = UserView),
        (status = 404, description = "User not found"),
        (status = 409, description = "The last admin who can sign in would lose the role (`last_admin`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::User, UserId::parse)?;
    request.no_query()?;
    let patch = request.merge_patch(json::body::<MemberPatch>).await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::people::update(tx, organization, author, id, &expected, &patch).await
            },
            |member| Answer::record(member.version, &UserView::from(member)),
        )
        .await
}

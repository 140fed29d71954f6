//! `PATCH /v1/users/{id}`

use domain::person::{self, MemberPatch};
use domain::{Faults, ResourceKind, UserId};
use utoipa::ToSchema;

use super::{READ_ONLY, RoleView, UserView};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};
use crate::http::word::word;

/// A merge patch (RFC 7396) of a membership: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = UserPatch)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct UserPatchInput {
    /// The user's name in this organization.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200, examples("Ada King"))]
    name: Option<String>,
    /// The user's role in this organization, from their next request on.
    #[schema(value_type = RoleView, required = false)]
    role: Option<RoleView>,
}

/// Change a user
///
/// Changes a person's name or role in this organization. A new role also applies to existing sessions. The caller must
/// have every scope of the old role and of the new one. The role of the last admin who can sign in cannot be changed.
/// A patch that changes nothing leaves the version as it is.
#[utoipa::path(
    patch,
    path = "/v1/users/{id}",
    operation_id = "update_user",
    tag = "Users",
    params(("id" = Uuid, Path, description = "User id")),
    request_body = UserPatchInput,
    responses(
        (status = 200, description = "The user", body = UserView),
        (status = 404, description = "User not found"),
        (status = 409, description = "The last admin who can sign in would lose the role (`last_admin`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::User, UserId::parse)?;
    request.no_query()?;
    let patch = request.merge_patch(read_body).await?;
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

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<MemberPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = MemberPatch {
        name: fields.patch_set_text("name", person::name),
        role: fields.patch_set_with("role", word),
    };
    fields.read_only(READ_ONLY);
    fields.read_only(&["email"]);
    fields.finish();
    Some(patch)
}

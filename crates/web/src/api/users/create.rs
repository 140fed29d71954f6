//! `POST /v1/users`

use domain::Faults;
use domain::person::{self, NewMember};
use utoipa::ToSchema;

use super::{READ_ONLY, RoleView, UserView};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};
use crate::http::word::word;

/// A user to add to the organization.
#[derive(ToSchema)]
#[schema(as = NewUser)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
pub(crate) struct NewUserInput {
    /// The user's name in this organization.
    #[schema(min_length = 1, max_length = 200, examples("Ada"))]
    name: String,
    /// The user's e-mail address; a known address adds the same person.
    #[schema(max_length = 254, examples("ada@example.org"))]
    email: String,
    /// The user's role in this organization.
    role: RoleView,
}

/// Add a user
///
/// Adds a person to the organization, so that its records can name them. A known e-mail address adds the same person,
/// who keeps the id. To sign in, the person needs an invitation. The caller must have every scope of the role.
#[utoipa::path(
    post,
    path = "/v1/users",
    operation_id = "create_user",
    tag = "Users",
    request_body = NewUserInput,
    responses(
        (status = 201, description = "User added", body = UserView),
        (status = 409, description = "Already a member of the organization"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(read_body).await?;
    request
        .write_instance(
            async move |tx, organization, author| store::people::add(tx, organization, author, &new).await,
            |member| {
                let location = format!("/v1/users/{}", member.person.id);
                Answer::created(location, member.version, &UserView::from(member))
            },
        )
        .await
}

/// Reads the user to add.
pub(crate) fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<NewMember> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.required_text("name", person::name);
    let email = fields.required_text("email", person::email);
    let role = fields.required_with("role", word);
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(NewMember { name: name?, email: email?, role: role? })
}

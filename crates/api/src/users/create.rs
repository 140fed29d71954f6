//! `POST /v1/users`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::UserView;
use domain::json;
use domain::person::NewMember;

/// Add a user
///
/// Adds a person to the organization, so that records can name them. A known e-mail address adds the same person, who
/// keeps the id. To sign in, the person needs an invitation. The caller must have every scope of the roles.
#[utoipa::path(
    post,
    path = "/v1/users",
    operation_id = "create_user",
    tag = "Users",
    request_body = NewMember,
    responses(
        (status = 201, description = "User added", body = UserView),
        (status = 404, description = "User not found: it was created under this `Idempotency-Key` and is absent by now"),
        (status = 409, description = "Already a member of the organization"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(json::body::<NewMember>).await?;
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

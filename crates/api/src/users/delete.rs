//! `DELETE /v1/users/{id}`

use domain::incident::Viewer;
use domain::{ResourceKind, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::OneWord;

use domain::duty::Duty;

domain::words! {
    "DutiesOfRemoved"
    /// What becomes of the duties of a member who is removed.
    pub(crate) enum OnDuties {
        /// A member who has duties is not removed.
        Refuse = "refuse",
        /// The member is removed, and records still name them.
        Keep = "keep",
    }
}

http::parameters! {
    /// The parameters.
    pub(crate) struct RemovalParams {
        /// What becomes of the member's duties: `refuse` unless it is sent.
        duties: OneWord<OnDuties>,
    }
}

/// Remove a user
///
/// Removes a person from the organization: their sessions in it end at once, an open invitation is withdrawn, and they
/// leave their groups.
/// Records that name the person are not changed. A member who has duties that the caller may read is not removed, unless
/// `duties=keep` says so: hand them over first. The caller must have every scope of the roles and of that invitation.
/// The last admin who can sign in cannot be removed.
#[utoipa::path(
    delete,
    path = "/v1/users/{id}",
    operation_id = "delete_user",
    tag = "Users",
    params(("id" = inline(UserId), Path, description = "User id"), RemovalParams),
    responses(
        (status = 204, description = "User removed"),
        (status = 404, description = "User not found"),
        (status = 409, description = "`member_has_duties`, or the last admin who can sign in stays (`last_admin`)"),
    )
)]
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::User, UserId::parse)?;
    let mut query = request.query();
    let on_duties = RemovalParams::read(&mut query).duties.unwrap_or(OnDuties::Refuse);
    query.finish()?;
    request.no_body()?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                if on_duties == OnDuties::Refuse {
                    let (viewer, kinds) = (Viewer::of(author), Duty::known_to(author.scopes()));
                    store::duties::none_left(tx, organization, &viewer, &kinds, id).await?;
                }
                store::people::remove(tx, organization, author, id, &expected).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

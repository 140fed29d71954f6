//! `POST /v1/groups`

use domain::group::NewGroup;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::GroupView;

/// Create a group
///
/// Names are unique in the organization without regard to case, forms of letters and characters that nobody sees.
#[utoipa::path(
    post,
    path = "/v1/groups",
    operation_id = "create_group",
    tag = "Groups",
    request_body = NewGroup,
    responses(
        (status = 201, description = "Group created", body = GroupView),
        (status = 409, description = "The name is in use"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(json::body::<NewGroup>).await?;
    request
        .write(
            async move |tx, organization, author| store::groups::create(tx, organization, author, &new).await,
            |group| {
                Answer::created(format!("/v1/groups/{}", group.id), group.version, &GroupView::from(group))
            },
        )
        .await
}

//! `POST /v1/tags`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::TagView;
use domain::json;
use domain::tag::NewTag;

/// Create a tag
///
/// Names are unique in the organization without regard to case, forms of letters and characters that nobody sees.
#[utoipa::path(
    post,
    path = "/v1/tags",
    operation_id = "create_tag",
    tag = "Tags",
    request_body = NewTag,
    responses(
        (status = 201, description = "Tag created", body = TagView),
        (status = 409, description = "The name is in use"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(json::body::<NewTag>).await?;
    request
        .write(
            async move |tx, organization, author| store::tags::create(tx, organization, author, &new).await,
            |tag| Answer::created(format!("/v1/tags/{}", tag.id), tag.version, &TagView::from(tag)),
        )
        .await
}

//! `PATCH /v1/tags/{id}`

use domain::json;
use domain::tag::TagPatch;
use domain::{ResourceKind, TagId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::TagView;

/// Change a tag
///
/// Records show the new name and colour at once. A patch that changes nothing does not change the version.
#[utoipa::path(
    patch,
    path = "/v1/tags/{id}",
    operation_id = "update_tag",
    tag = "Tags",
    params(("id" = inline(TagId), Path, description = "Tag id")),
    request_body = TagPatch,
    responses(
        (status = 200, description = "The tag", body = TagView),
        (status = 404, description = "Tag not found"),
        (status = 409, description = "The name is in use: merge the tags instead"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Tag, TagId::parse)?;
    request.no_query()?;
    let patch = request.merge_patch(json::body::<TagPatch>).await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::tags::update(tx, organization, author, id, &expected, &patch).await
            },
            |tag| Answer::record(tag.version, &TagView::from(tag)),
        )
        .await
}

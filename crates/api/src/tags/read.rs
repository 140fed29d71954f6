//! `GET /v1/tags/{id}`

use domain::{ResourceKind, TagId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::TagView;

/// Read a tag
///
/// Returns a tag of the organization.
#[utoipa::path(
    get,
    path = "/v1/tags/{id}",
    operation_id = "read_tag",
    tag = "Tags",
    params(("id" = inline(TagId), Path, description = "Tag id")),
    responses(
        (status = 200, description = "The tag", body = TagView),
        (status = 404, description = "Tag not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Tag, TagId::parse)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let tag = store::tags::get(&mut tx, request.organization(), id).await?;
    Answer::record(tag.version, &TagView::from(tag))
}

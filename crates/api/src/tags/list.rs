//! `GET /v1/tags`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::Texts;

use super::TagView;

http::parameters! {
    /// The filters.
    pub(crate) struct TagFilterParams {
        /// Tags with one of these names, without regard to case.
        name: Texts,
    }
}

/// List tags
///
/// Sorted by name, without regard to case.
#[utoipa::path(
    get,
    path = "/v1/tags",
    operation_id = "list_tags",
    tag = "Tags",
    params(TagFilterParams, PageParams),
    responses((status = 200, description = "Tags", body = List<TagView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    let TagFilterParams { name: names } = TagFilterParams::read(&mut query);
    query.finish()?;
    let after = page.after.as_deref();
    let mut tx = request.app.db().read().await?;
    let rows = store::tags::list(&mut tx, request.organization(), &names, after, page.limit).await?;
    let total = page.total(store::tags::count(&mut tx, request.organization(), &names)).await?;
    Answer::list(&request.list(rows, total, |tag| tag.name.clone(), TagView::from))
}

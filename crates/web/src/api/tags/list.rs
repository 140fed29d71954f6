//! `GET /v1/tags`

use super::TagView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};

/// List tags
///
/// Sorted by name, without regard to case.
#[utoipa::path(
    get,
    path = "/v1/tags",
    operation_id = "list_tags",
    tag = "Tags",
    params(PageParams),
    responses((status = 200, description = "Tags", body = List<TagView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    query.finish()?;
    let after = page.after.as_deref();
    let mut tx = request.app.db().read().await?;
    let rows = store::tags::list(&mut tx, request.organization(), after, page.limit).await?;
    let total = page.total(store::tags::count(&mut tx, request.organization())).await?;
    Answer::list(&request.list(rows, total, |tag| tag.name.clone(), TagView::from))
}

//! `GET /v1/documents`

use super::view::DocumentView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};

/// List documents
///
/// Sorted by slug, without their items.
#[utoipa::path(
    get,
    path = "/v1/documents",
    operation_id = "list_documents",
    tag = "Documents",
    params(PageParams),
    responses((status = 200, description = "Documents", body = List<DocumentView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let after = page.after.as_deref();
    let rows = store::documents::list(&mut tx, request.organization(), after, page.limit).await?;
    let total = page.total(store::documents::count(&mut tx, request.organization())).await?;
    Answer::list(&request.list(rows, total, |document| document.slug.clone(), DocumentView::from))
}

//! `GET /v1/documents`

use super::view::DocumentView;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;
use crate::page::{List, PageParams};

/// List documents
///
/// By slug, without their items.
#[utoipa::path(
    get,
    path = "/v1/documents",
    operation_id = "list_documents",
    tag = "Documents",
    params(PageParams),
    responses((status = 200, description = "Documents", body = List<DocumentView>))
)]
pub(crate) async fn list(call: Call) -> Result<Answer> {
    let mut query = call.query();
    let page = call.page::<String>(&mut query);
    query.finish()?;
    let mut tx = call.app.db().read().await?;
    let after = page.after.as_deref();
    let rows = store::documents::list(&mut tx, call.organization(), after, page.limit).await?;
    let total = page.total(store::documents::count(&mut tx, call.organization())).await?;
    Answer::list(&call.list(rows, total, |document| document.slug.clone(), DocumentView::from))
}

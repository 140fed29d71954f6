//! `GET /v1/documents`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::SearchParam;
use lists::input::document_filter::{self, DocumentFilterParams};
use store::did_you_mean::Within;

use super::view::DocumentView;
use crate::search::{meant, searched_up_to};

/// List documents
///
/// Sorted by slug, without their items. Each says what its open proposal waits for, and who can do it.
#[utoipa::path(
    get,
    path = "/v1/documents",
    operation_id = "list_documents",
    tag = "Documents",
    params(DocumentFilterParams, SearchParam, PageParams),
    responses((status = 200, description = "Documents", body = List<DocumentView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    let asked = document_filter::read(&mut query, request.actor());
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let filter = asked.filter(&mut tx, organization).await?;
    let after = page.after.as_deref();
    let rows = store::documents::list(&mut tx, organization, &filter, after, page.limit).await?;
    let waits = store::proposals::next_steps(&mut tx, organization, &rows.rows, request.app.next()).await?;
    let total = page.total(store::documents::count(&mut tx, organization, &filter)).await?;
    let search_seq = searched_up_to(&mut tx, organization, filter.q.as_ref()).await?;
    let is_empty = rows.rows.is_empty() && page.after.is_none() && search_seq.is_some();
    let did_you_mean = meant(&request, &mut tx, Within::Documents(&filter), is_empty).await?;
    let list = request.list(
        rows,
        total,
        |document| document.slug.clone(),
        |document| {
            let next = waits.get(&document.slug).cloned();
            DocumentView::listed(document, next)
        },
    );
    Ok(Answer::list(&List { did_you_mean, ..list })?.searched(search_seq))
}

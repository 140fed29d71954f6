//! `GET /v1/documents`

use domain::Actor;
use domain::document::DocumentStatus;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{People, Query, SearchParam, Time, Words};
use store::did_you_mean::Within;
use store::documents::DocumentFilter;

use super::view::DocumentView;
use crate::search::{meant, searched_up_to};

http::parameters! {
    /// The filters.
    pub(crate) struct DocumentFilterParams {
        /// Documents with one of these statuses.
        status: Words<DocumentStatus>,
        /// Documents of one of these owners; `none` is a document without one.
        owner: People,
        /// Documents whose next review is due at this time or later.
        next_review_from: Time,
        /// Documents whose next review is due before this time.
        next_review_to: Time,
    }
}

pub(super) fn filter(query: &mut Query<'_>, caller: &Actor) -> DocumentFilter {
    let DocumentFilterParams { status, owner, next_review_from, next_review_to } =
        DocumentFilterParams::read(query);
    DocumentFilter {
        status,
        owner: query.people("owner", &owner, caller),
        next_review: query.times(("next_review_from", next_review_from), ("next_review_to", next_review_to)),
        q: query.search(),
    }
}

/// List documents
///
/// Sorted by slug, without their items.
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
    let filter = filter(&mut query, request.actor());
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let after = page.after.as_deref();
    let rows = store::documents::list(&mut tx, organization, &filter, after, page.limit).await?;
    let total = page.total(store::documents::count(&mut tx, organization, &filter)).await?;
    let search_seq = searched_up_to(&mut tx, organization, filter.q.as_ref()).await?;
    let is_empty = rows.rows.is_empty() && page.after.is_none() && search_seq.is_some();
    let did_you_mean = meant(&request, &mut tx, Within::Documents(&filter), is_empty).await?;
    let list = request.list(rows, total, |document| document.slug.clone(), DocumentView::from);
    Ok(Answer::list(&List { did_you_mean, ..list })?.searched(search_seq))
}

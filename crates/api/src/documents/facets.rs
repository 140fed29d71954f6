//! `GET /v1/documents/facets`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::SearchParam;
use lists::input::document_filter::{self, DocumentFilterParams};
use serde::Serialize;
use utoipa::ToSchema;

use crate::facets::{FacetCountView, taken};
use crate::search::searched_up_to;

/// How many documents there are, and how many with each value.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentFacets)]
struct FacetsView {
    /// The number of documents with all filters.
    total: i64,
    /// The counts of each facet.
    facets: CountsView,
}

/// The counts of each facet. Values without a document are left out; of people and tags the 200 most frequent are there.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentFacetCounts, examples(json!({"owner": [{"value": "0190163d-8694-739b-aea5-966c26f8ad91", "label": "Ada", "count": 3}]})))]
struct CountsView {
    /// By status.
    #[schema(max_items = 3)]
    status: Vec<FacetCountView>,
    /// By classification.
    #[schema(max_items = 4)]
    classification: Vec<FacetCountView>,
    /// By owner.
    #[schema(max_items = 200)]
    owner: Vec<FacetCountView>,
    /// By tag; a document with several tags counts for each.
    #[schema(max_items = 200)]
    tag: Vec<FacetCountView>,
    /// By the state of the next review.
    #[schema(max_items = 3)]
    review: Vec<FacetCountView>,
}

/// Count documents by field
///
/// Takes the filters of the list. Each facet is counted without its own filter, as for incidents.
#[utoipa::path(
    get,
    path = "/v1/documents/facets",
    operation_id = "count_documents",
    tag = "Documents",
    params(DocumentFilterParams, SearchParam),
    responses((status = 200, description = "The counts", body = FacetsView))
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let asked = document_filter::read(&mut query, request.actor());
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let filter = asked.filter(&mut tx, organization).await?;
    let mut found = store::documents::facets(&mut tx, organization, &filter).await?;
    let search_seq = searched_up_to(&mut tx, organization, filter.q.as_ref()).await?;
    let facets = CountsView {
        status: taken(&mut found, "status"),
        classification: taken(&mut found, "classification"),
        owner: taken(&mut found, "owner"),
        tag: taken(&mut found, "tag"),
        review: taken(&mut found, "review"),
    };
    Ok(Answer::record(None, &FacetsView { total: found.total, facets })?.searched(search_seq))
}

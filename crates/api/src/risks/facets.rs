//! `GET /v1/risks/facets`

use domain::risk::Risk;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::SearchParam;
use lists::input::risk_filter::RiskFilterParams;
use serde::Serialize;
use utoipa::ToSchema;

use crate::facets::{FacetCountView, taken};
use crate::listed;

/// How many risks there are, and how many with each value.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskFacets)]
struct FacetsView {
    /// The number of risks with all filters.
    total: i64,
    /// The counts of each facet.
    facets: CountsView,
}

/// The counts of each facet. Values without a risk are left out; of categories, people and tags the 200 most frequent are
/// there.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskFacetCounts, examples(json!({"owner": [{"value": "0190163d-8694-739b-aea5-966c26f8ad91", "label": "Ada", "count": 3}]})))]
struct CountsView {
    /// By status.
    #[schema(max_items = 2)]
    status: Vec<FacetCountView>,
    /// By category; null is none.
    #[schema(max_items = 200)]
    category: Vec<FacetCountView>,
    /// By owner.
    #[schema(max_items = 200)]
    owner: Vec<FacetCountView>,
    /// By treatment.
    #[schema(max_items = 5)]
    treatment: Vec<FacetCountView>,
    /// By tag; a risk with several tags counts for each.
    #[schema(max_items = 200)]
    tag: Vec<FacetCountView>,
    /// By when the next review of open risks is due.
    #[schema(max_items = 2)]
    review: Vec<FacetCountView>,
    /// By the evaluation that risks lack; a risk can count for several.
    #[schema(max_items = 3)]
    evaluation: Vec<FacetCountView>,
    /// By the band of the latest evaluation, from the highest; null is never evaluated.
    #[schema(max_items = 200)]
    band: Vec<FacetCountView>,
    /// By the state of the acceptances; a risk with an acceptance and an open request counts for both.
    #[schema(max_items = 5)]
    acceptance: Vec<FacetCountView>,
}

/// Count risks by field
///
/// Takes the filters of the list. Each facet is counted without its own filter, as for incidents.
#[utoipa::path(
    get,
    path = "/v1/risks/facets",
    operation_id = "count_risks",
    tag = "Risks",
    params(RiskFilterParams, SearchParam),
    responses((status = 200, description = "The counts", body = FacetsView))
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    listed::facets::<Risk, _>(request, |total, found| {
        let facets = CountsView {
            status: taken(found, "status"),
            category: taken(found, "category"),
            owner: taken(found, "owner"),
            treatment: taken(found, "treatment"),
            tag: taken(found, "tag"),
            review: taken(found, "review"),
            evaluation: taken(found, "evaluation"),
            band: taken(found, "band"),
            acceptance: taken(found, "acceptance"),
        };
        FacetsView { total, facets }
    })
    .await
}

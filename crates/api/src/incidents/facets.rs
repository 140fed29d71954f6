//! `GET /v1/incidents/facets`

use domain::incident::Incident;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::SearchParam;
use lists::input::incident_filter::IncidentFilterParams;
use serde::Serialize;
use utoipa::ToSchema;

use crate::facets::{FacetCountView, taken};
use crate::listed;

/// How many incidents there are, and how many with each value.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentFacets)]
struct FacetsView {
    /// The number of incidents with all filters.
    total: i64,
    /// The counts of each facet.
    facets: CountsView,
}

/// The counts of each facet. Values without an incident are left out; of people and tags the 200 most frequent are there.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentFacetCounts, examples(json!({"assigned_to": [{"value": "0190163d-8694-739b-aea5-966c26f8ad91", "label": "Ada", "count": 3}]})))]
struct CountsView {
    /// By status.
    #[schema(max_items = 6)]
    status: Vec<FacetCountView>,
    /// By severity.
    #[schema(max_items = 5)]
    severity: Vec<FacetCountView>,
    /// By kind.
    #[schema(max_items = 5)]
    kind: Vec<FacetCountView>,
    /// By assignee.
    #[schema(max_items = 200)]
    assigned_to: Vec<FacetCountView>,
    /// By tag; an incident with several tags counts for each.
    #[schema(max_items = 200)]
    tag: Vec<FacetCountView>,
}

/// Count incidents by field
///
/// Takes the filters of the list. Each facet is counted without its own filter, so the count of a value is the `total`
/// of the list with this value alone in its filter.
#[utoipa::path(
    get,
    path = "/v1/incidents/facets",
    operation_id = "count_incidents",
    tag = "Incidents",
    params(IncidentFilterParams, SearchParam),
    responses((status = 200, description = "The counts", body = FacetsView))
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    listed::facets::<Incident, _>(request, |total, found| {
        let facets = CountsView {
            status: taken(found, "status"),
            severity: taken(found, "severity"),
            kind: taken(found, "kind"),
            assigned_to: taken(found, "assigned_to"),
            tag: taken(found, "tag"),
        };
        FacetsView { total, facets }
    })
    .await
}

//! `GET /v1/incidents`

use domain::incident::Incident;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::SeenParams;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{SearchParam, SortParam};
use lists::input::incident_filter::IncidentFilterParams;
use store::incidents::IncidentSort;

use super::IncidentView;
use crate::listed;

/// List incidents
///
/// The latest first unless `sort` is sent; with `q` the best matches first.
#[utoipa::path(
    get,
    path = "/v1/incidents",
    operation_id = "list_incidents",
    tag = "Incidents",
    params(IncidentFilterParams, SearchParam, SortParam<IncidentSort>, PageParams, SeenParams),
    responses((status = 200, description = "Incidents", body = List<IncidentView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    listed::list::<Incident>(request).await
}

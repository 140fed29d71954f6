//! `GET /v1/incidents`

use domain::incident::Incident;
use store::incidents::IncidentSort;

use super::IncidentView;
use crate::api::listed;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::SeenParams;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::query::{SearchParam, SortParam};
use crate::input::incident_filter::IncidentFilterParams;

/// List incidents
///
/// The latest first, unless `sort` says otherwise; with `q` the best matches first.
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

//! `GET /v1/risks`

use domain::risk::Risk;
use store::risks::RiskSort;

use super::RiskView;
use crate::api::listed;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::SeenParams;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::query::{SearchParam, SortParam};
use crate::input::risk_filter::RiskFilterParams;

/// List risks
///
/// The latest first, unless `sort` says otherwise; with `q` the best matches first.
#[utoipa::path(
    get,
    path = "/v1/risks",
    operation_id = "list_risks",
    tag = "Risks",
    params(RiskFilterParams, SearchParam, SortParam<RiskSort>, PageParams, SeenParams),
    responses((status = 200, description = "Risks", body = List<RiskView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    listed::list::<Risk>(request).await
}

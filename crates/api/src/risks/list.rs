//! `GET /v1/risks`

use domain::risk::Risk;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::SeenParams;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{SearchParam, SortParam};
use lists::input::risk_filter::RiskFilterParams;
use store::risks::RiskSort;

use super::RiskView;
use crate::listed;

/// List risks
///
/// The latest first unless `sort` is sent; with `q` the best matches first.
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

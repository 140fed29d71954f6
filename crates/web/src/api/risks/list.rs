//! `GET /v1/risks`

use domain::risk::Risk;
use store::risks::RiskSort;
use uuid::Uuid;

use super::RiskView;
use super::view::RiskStatusView;
use crate::api::listed;
use crate::api::tags::TagModeView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::SeenParams;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::query::{PersonParam, SearchParam, SortParam, TextParam};

/// The filters, for the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `input::risk_filter` reads")]
pub(crate) struct RiskFilterParams {
    /// Risks with one of these statuses.
    #[param(inline)]
    status: Option<Vec<RiskStatusView>>,
    /// Risks of one of these owners; `none` is a risk without one.
    #[param(inline)]
    owner: Option<Vec<PersonParam>>,
    /// Risks of one of these categories, compared exactly.
    #[param(inline)]
    category: Option<Vec<TextParam>>,
    /// Risks with these tags.
    tag: Option<Vec<Uuid>>,
    /// How many of these tags a risk must have; `any` unless it is sent.
    #[param(inline)]
    tag_mode: Option<TagModeView>,
}

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

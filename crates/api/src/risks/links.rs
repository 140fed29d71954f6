//! `GET /v1/risks/{risk_id}/links`

use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use store::View;
use store::links::LinkEnd;

use crate::links::{self, DetectedParams, LinkView};

/// List a risk's links
///
/// The links of incidents to the risk, in the order in which they were added, of the incidents that the caller may
/// read. With `detected_from`, those of the last twelve months can be compared with the stated likelihood.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/links",
    operation_id = "list_risk_links",
    tag = "Risks",
    params(crate::path::RiskId, DetectedParams, PageParams),
    responses(
        (status = 200, description = "The risk's links", body = List<LinkView>),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    let detected = DetectedParams::range(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    store::risks::get(&mut tx, request.organization(), risk, View::now()).await?;
    links::page(request, &mut tx, LinkEnd::Risk(risk), detected, page).await
}

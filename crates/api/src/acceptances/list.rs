//! `GET /v1/risks/{risk_id}/acceptances`

use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{AsOfParams, Seen};
use http::error::Result;
use http::page::{List, PageParams};
use store::acceptances::AcceptanceDetails;

use super::AcceptanceView;

/// List a risk's acceptances
///
/// The latest first: requests, and what was refused or has ended too. With `as_of` those of that time, as they were.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/acceptances",
    operation_id = "list_risk_acceptances",
    tag = "Acceptances",
    params(crate::path::RiskId, PageParams, AsOfParams),
    responses(
        (status = 200, description = "Acceptances", body = List<AcceptanceView>),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    let seen = Seen::read_as_of(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let rows =
        store::acceptances::list_of_risk(&mut tx, organization, view, risk, page.after, page.limit).await?;
    let total = page.total(store::acceptances::count_of_risk(&mut tx, organization, view, risk)).await?;
    let position = |row: &AcceptanceDetails| row.acceptance.number;
    Answer::list(&request.list(rows, total, position, AcceptanceView::from).seen(named))
}

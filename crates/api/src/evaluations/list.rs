//! `GET /v1/risks/{risk_id}/evaluations`

use domain::evaluation::Evaluation;
use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use jiff::Timestamp;

use super::EvaluationView;

/// List a risk's evaluations
///
/// The latest first, including superseded ones.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/evaluations",
    operation_id = "list_evaluations",
    tag = "Evaluations",
    params(crate::path::RiskId, PageParams),
    responses(
        (status = 200, description = "Evaluations", body = List<EvaluationView>),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<(i64, i64)>(&mut query);
    query.finish()?;
    let before =
        page.after.and_then(|(micros, number)| Some((Timestamp::from_microsecond(micros).ok()?, number)));
    let mut tx = request.app.db().read().await?;
    let rows = store::evaluations::list(&mut tx, request.organization(), risk, before, page.limit).await?;
    let total = page.total(store::evaluations::count(&mut tx, request.organization(), risk)).await?;
    let position = |row: &Evaluation| (row.evaluated_at.as_microsecond(), row.number);
    Answer::list(&request.list(rows, total, position, EvaluationView::from))
}

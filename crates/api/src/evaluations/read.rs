//! `GET /v1/risks/{risk_id}/evaluations/{number}`

use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::EvaluationView;
use crate::shared::number;

/// Read an evaluation
///
/// Returns an evaluation of a risk, even if it is superseded.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/evaluations/{number}",
    operation_id = "read_evaluation",
    tag = "Evaluations",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the evaluation"),
    ),
    responses(
        (status = 200, description = "The evaluation", body = EvaluationView),
        (status = 404, description = "Risk not found, or Evaluation not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    let number = request.path(1, ResourceKind::Evaluation, number)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let evaluation = store::evaluations::get(&mut tx, request.organization(), risk, number).await?;
    Answer::record(None, &EvaluationView::from(evaluation))
}

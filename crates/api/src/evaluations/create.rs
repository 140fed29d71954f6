//! `POST /v1/risks/{risk_id}/evaluations`

use domain::evaluation::NewEvaluation;
use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::EvaluationView;

/// Record an evaluation
///
/// Its performance is computed with the risk's inherent and target ratings at the time of recording, even if the
/// evaluation is dated in the past. `inherent` and `target` change those ratings in the same step, which changes the version of the
/// risk. A risk that is rated by an earlier scale (`scale_outdated`) needs them. A closed risk takes only an evaluation that
/// supersedes another one.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/evaluations",
    operation_id = "create_evaluation",
    tag = "Evaluations",
    params(crate::path::RiskId),
    request_body = NewEvaluation,
    responses(
        (status = 201, description = "Evaluation recorded", body = EvaluationView),
        (status = 404, description = "Risk not found"),
        (status = 409, description = "Evaluation already superseded, or the risk is closed"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new = request.json(move |body, faults| NewEvaluation::read(body, now, faults)).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::evaluations::record(tx, organization, author, risk, &new).await
            },
            move |evaluation| {
                let location = format!("/v1/risks/{risk}/evaluations/{}", evaluation.number);
                Answer::created(location, None, &EvaluationView::from(evaluation))
            },
        )
        .await
}

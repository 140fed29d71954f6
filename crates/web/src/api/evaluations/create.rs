//! `POST /v1/risks/{risk_id}/evaluations`

use domain::evaluation::{self, NewEvaluation};
use domain::{Faults, ResourceKind, RiskNumber};
use jiff::Timestamp;
use utoipa::ToSchema;

use super::EvaluationView;
use crate::api::risks::read_levels;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};

/// An evaluation to record.
#[derive(ToSchema)]
#[schema(as = NewEvaluation)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct NewEvaluationInput {
    /// How likely it is.
    #[schema(minimum = 1, maximum = 5, examples(3))]
    likelihood: i64,
    /// How bad it would be.
    #[schema(minimum = 1, maximum = 5, examples(4))]
    impact: i64,
    /// The time that the evaluation refers to; now by default. It may lie in the past.
    #[schema(value_type = Option<String>, format = DateTime)]
    evaluated_at: Option<String>,
    /// The reason for the evaluation, at most 64 KiB.
    #[schema(max_length = 65536)]
    note: Option<String>,
    /// The number of the wrong evaluation of the same risk that this one replaces.
    #[schema(minimum = 1)]
    supersedes: Option<i64>,
}

/// Record an evaluation
///
/// Its performance is computed with the risk's inherent and target ratings at the time of recording, even if the
/// evaluation is dated in the past.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/evaluations",
    operation_id = "create_evaluation",
    tag = "Evaluations",
    params(("risk_id" = String, Path, description = "`RSK-` and the number")),
    request_body = NewEvaluationInput,
    responses(
        (status = 201, description = "Evaluation recorded", body = EvaluationView),
        (status = 404, description = "Risk not found"),
        (status = 409, description = "Evaluation already superseded"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new = request.json(move |body, faults| read_body(body, now, faults)).await?;
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

fn read_body(body: Json<'_>, now: Timestamp, faults: &mut Faults) -> Option<NewEvaluation> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let rating = read_levels(&mut fields);
    let evaluated_at = fields.optional("evaluated_at");
    // The write checks this again with its exact time; it is checked here so that all faults are reported together.
    evaluation::evaluated_at(evaluated_at, now, fields.faults());
    let note = fields.optional_text("note", evaluation::note);
    let supersedes = fields.optional("supersedes");
    fields.read_only(&[
        "number",
        "risk",
        "score",
        "inherent_score",
        "target_score",
        "performance_basis_points",
        "scale_version",
        "created_date",
        "evaluator",
        "superseded_by",
    ]);
    fields.finish();
    Some(NewEvaluation { rating: rating?, evaluated_at, note, supersedes })
}

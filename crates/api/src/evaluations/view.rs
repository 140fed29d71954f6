//! An evaluation as responses show it.

use domain::RiskNumber;
use domain::evaluation::Evaluation;
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::ActorView;

/// An evaluation of a risk. It is never edited, only superseded.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Evaluation)]
#[view(Evaluation)]
pub(super) struct EvaluationView {
    /// The evaluation's number: counted from 1 for each risk.
    #[schema(minimum = 1)]
    number: i64,
    /// The risk's id.
    risk: RiskNumber,
    /// How likely it was judged.
    #[schema(minimum = 1, maximum = 10)]
    #[view(it.rating.likelihood)]
    likelihood: i64,
    /// How bad it was judged.
    #[schema(minimum = 1, maximum = 10)]
    #[view(it.rating.impact)]
    impact: i64,
    /// Likelihood times impact.
    #[schema(minimum = 1, maximum = 100)]
    #[view(it.rating.score())]
    score: i64,
    /// The risk's inherent score when this was recorded.
    #[schema(minimum = 1, maximum = 100)]
    inherent_score: i64,
    /// The risk's target score when this was recorded; null if it had no target.
    #[schema(minimum = 1, maximum = 100)]
    target_score: Option<i64>,
    /// The share of the planned reduction that is achieved, in basis points: 1 is 0.01 %. Null without a target.
    #[schema(minimum = 0, maximum = 10000, examples(5714))]
    performance_basis_points: Option<i64>,
    /// The version of the rating scale.
    #[schema(minimum = 1)]
    scale_version: i64,
    /// The time that the evaluation refers to.
    #[schema(examples("2026-03-01T09:30:00.000000Z"))]
    evaluated_at: Timestamp,
    /// When it was recorded.
    created_date: Timestamp,
    /// Who recorded the evaluation.
    evaluator: ActorView,
    /// The reason for the evaluation, as Markdown.
    #[schema(max_length = 65_536, examples("The second site is under contract."))]
    note: Option<String>,
    /// The number of the wrong evaluation that this one replaces.
    supersedes: Option<i64>,
    /// The number of the evaluation that replaces this one; if there is one, this one no longer counts.
    superseded_by: Option<i64>,
}

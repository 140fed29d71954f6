//! What is sent about evaluations.

use domain::Faults;
use domain::evaluation::{self, NewEvaluation};
use jiff::Timestamp;
use utoipa::ToSchema;

use super::ratings::read_levels;
use crate::http::json::{Fields, Json, Pointer};

/// An evaluation to record.
#[derive(ToSchema)]
#[schema(as = NewEvaluation)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewEvaluationInput {
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

/// Reads an evaluation to record.
pub fn read_new(body: Json<'_>, now: Timestamp, faults: &mut Faults) -> Option<NewEvaluation> {
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

//! How the journal records an evaluation, in an entry of its risk: one field `evaluations/2` with all of it, and
//! `evaluations/1/superseded_by` of the one it supersedes. The evaluator is the entry's author.

use std::collections::HashMap;

use db::Tx;
use domain::evaluation::Evaluation;
use domain::time::format;
use domain::{OrgId, RiskNumber};
use serde_json::{Value, json};

use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::journal::Payload;
use crate::record::{Record as _, Stored};

/// The journal payload of a new evaluation.
pub(super) fn recorded(evaluation: &Evaluation) -> Payload {
    let payload = Payload::new().set(&field(evaluation.number), value(evaluation));
    match evaluation.supersedes {
        Some(wrong) => payload.set(&superseded_by(wrong), evaluation.number),
        None => payload,
    }
}

fn field(number: i64) -> String {
    format!("evaluations/{number}")
}

fn superseded_by(number: i64) -> String {
    format!("evaluations/{number}/superseded_by")
}

fn value(evaluation: &Evaluation) -> Value {
    json!({
        "likelihood": evaluation.rating.likelihood,
        "impact": evaluation.rating.impact,
        "inherent_score": evaluation.inherent_score,
        "target_score": evaluation.target_score,
        "performance_basis_points": evaluation.performance_basis_points,
        "scale_version": evaluation.scale_version,
        "evaluated_at": format(evaluation.evaluated_at),
        "note": evaluation.note,
        "supersedes": evaluation.supersedes,
    })
}

/// The evaluations of these risks as the journal should have them: for each risk the entry that
/// recorded its last one, and the fields.
pub(crate) async fn journaled(
    tx: &mut Tx,
    organization: OrgId,
    risks: &[RiskNumber],
) -> Result<HashMap<RiskNumber, (i64, Vec<(String, Value)>)>> {
    let (statements, wanted) = (Evaluation::statements(), wanted_numbers(tx.engine()));
    let sql = format!(
        "SELECT {} FROM evaluation AS r{} WHERE r.organization = $1 AND r.risk IN (SELECT number FROM {wanted})",
        statements.columns, statements.joins
    );
    let numbers = numbers_parameter(risks.iter().map(|risk| risk.number()));
    let rows: Vec<Stored<Evaluation>> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    let mut all: HashMap<_, (i64, Vec<_>)> = HashMap::new();
    for Stored(evaluation) in rows {
        let (latest, fields) = all.entry(evaluation.risk).or_default();
        *latest = evaluation.seq_from.max(*latest);
        fields.push((field(evaluation.number), value(&evaluation)));
        fields.push((superseded_by(evaluation.number), json!(evaluation.superseded_by)));
    }
    Ok(all)
}

//! What the journal tells of an evaluation, in an entry of its risk: one field `evaluations/2` with all
//! of it, and `evaluations/1/superseded_by` of the one it supersedes. Who judged is the entry's author.

use std::collections::HashMap;

use db::Tx;
use domain::evaluation::Evaluation;
use domain::risk::Risk;
use domain::time::format;
use domain::{OrgId, RiskNumber};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;
use crate::ledger::journal::Payload;
use crate::ledger::record::{Record as _, Stored};
use crate::ledger::verify::recorded::{Link, Made};

/// What the journal tells of a new evaluation, after what it tells of the ratings that come with it.
pub(super) fn payload(evaluation: &Evaluation, rerated: Payload) -> Payload {
    let payload = rerated.set(&field(evaluation.number), value(evaluation));
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
        "evaluated_day": evaluation.evaluated_day,
        "note": evaluation.note,
        "supersedes": evaluation.supersedes,
    })
}

/// The evaluations of a risk, as they are held against the journal.
#[derive(Default)]
pub(crate) struct Evaluated {
    /// The entries that recorded them, and those that superseded them.
    pub(crate) links: Vec<Link>,
    /// The fields that tell of them.
    pub(crate) fields: Vec<(String, Value)>,
    /// Which of them is the latest.
    pub(crate) latest: Latest,
}

/// What follows from the evaluations of a risk, and what is stored of it.
#[derive(Default)]
pub(crate) struct Latest {
    /// The latest one that is not superseded.
    follows: Option<Counted>,
    /// The same as stored, and whether it is marked as that of a deleted risk.
    stored: Option<(Counted, bool)>,
}

/// Number, time and basis points of an evaluation.
type Counted = (i64, Timestamp, Option<i64>);

impl Latest {
    /// What is wrong with the stored one of a risk. Without a target it has no basis points.
    pub(crate) fn fault(&self, risk: &Risk) -> Option<String> {
        let counted = |points: Option<i64>| points.filter(|_| risk.target.is_some());
        let follows = self.follows.map(|(number, at, points)| (number, at, counted(points)));
        let fits = match self.stored {
            Some((latest, marked)) => Some(latest) == follows && marked == risk.deleted_date.is_some(),
            None => follows.is_none(),
        };
        (!fits).then(|| "the latest evaluation for figures is not that".to_owned())
    }
}

/// The evaluations of these risks.
pub(crate) async fn recorded(
    tx: &mut Tx,
    organization: OrgId,
    risks: &[RiskNumber],
) -> Result<HashMap<RiskNumber, Evaluated>> {
    let (statements, wanted) = (Evaluation::statements(), among(tx.engine(), "r.risk", "$2"));
    let sql = format!(
        "SELECT {} FROM evaluation AS r{}
         WHERE r.organization = $1 AND {wanted}",
        statements.columns, statements.joins
    );
    let numbers = among_parameter(tx.engine(), risks.iter().map(|risk| risk.number()));
    let rows: Vec<Stored<Evaluation>> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    let mut all: HashMap<_, Evaluated> = HashMap::new();
    for Stored(evaluation) in rows {
        let risk = all.entry(evaluation.risk).or_default();
        risk.fields.push((field(evaluation.number), value(&evaluation)));
        risk.fields.push((superseded_by(evaluation.number), json!(evaluation.superseded_by)));
        let made = Made::by(evaluation.created_date, &evaluation.evaluator);
        let (seq_from, recorded) = (evaluation.seq_from, field(evaluation.number));
        risk.links.push(Link { field: recorded, seq_from, seq_to: None, made: Some(made) });
        if let Some(seq_from) = evaluation.seq_to {
            let field = superseded_by(evaluation.number);
            risk.links.push(Link { field, seq_from, seq_to: None, made: None });
        } else {
            let (number, at) = (evaluation.number, evaluation.evaluated_at);
            let candidate = Some((number, at, evaluation.performance_basis_points));
            let order = |it: &Option<Counted>| it.map(|(number, at, _)| (at, number));
            if order(&candidate) > order(&risk.latest.follows) {
                risk.latest.follows = candidate;
            }
        }
    }
    let sql = format!(
        "SELECT risk, evaluation, evaluated_at, basis_points, deleted FROM risk_latest AS r
         WHERE r.organization = $1 AND {wanted}"
    );
    let rows: Vec<(i64, i64, Timestamp, Option<i64>, bool)> =
        tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    for (risk, number, at, basis_points, deleted) in rows {
        let latest = &mut all.entry(RiskNumber(risk)).or_default().latest;
        latest.stored = Some(((number, at, basis_points), deleted));
    }
    Ok(all)
}

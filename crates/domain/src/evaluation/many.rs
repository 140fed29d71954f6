//! Evaluations of many risks that are recorded at once.

use jiff::Timestamp;
use macros::Body;

use super::NewEvaluation;
use crate::fault::{FaultCode, Faults};
use crate::ids::RiskNumber;
use crate::json::{Json, Pointer, array, items_of, nested_with};

/// The most evaluations of one request.
pub const MAX_EVALUATIONS: usize = 10_000;

/// An evaluation of one of many risks.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewEvaluationOfRisk", with(now: Timestamp))]
pub struct EvaluationOfRisk {
    /// The id of the risk.
    #[body(example = "RSK-1")]
    pub risk: RiskNumber,
    /// Its evaluation.
    #[body(flat(now))]
    pub evaluation: NewEvaluation,
}

/// Evaluations to record, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(with(now: Timestamp))]
pub struct NewEvaluations {
    /// The evaluations, of any risks. Several of one risk are recorded in their order.
    #[body(
        read = read_rows(now),
        most = MAX_EVALUATIONS,
        json = r#"[{"risk": "RSK-1", "likelihood": 3, "impact": 4}]"#
    )]
    pub evaluations: Vec<EvaluationOfRisk>,
    /// Whether to say what would happen, and record nothing.
    #[body(default = false)]
    pub dry_run: bool,
    /// Whether to record nothing if one of the evaluations is refused.
    #[body(default = false)]
    pub atomic: bool,
}

fn read_rows(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    now: Timestamp,
) -> Option<Vec<EvaluationOfRisk>> {
    let rows = array(value, at, faults)?;
    if rows.len() > MAX_EVALUATIONS {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {MAX_EVALUATIONS} elements"));
        return None;
    }
    let read = |row: Json<'_>, faults: &mut Faults| EvaluationOfRisk::read(row, now, faults);
    items_of(rows, at, faults, |row, at, faults| nested_with(row, at, faults, read))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::risk::Rating;

    fn read(rows: &[Value]) -> Result<Vec<EvaluationOfRisk>, Vec<(String, FaultCode)>> {
        let (mut faults, now) = (Faults::new(), "2026-03-01T09:00:00Z".parse().unwrap());
        let read = NewEvaluations::read(Json::from(&json!({"evaluations": rows})), now, &mut faults);
        let found = faults.into_vec().into_iter().map(|fault| (fault.pointer, fault.code)).collect();
        read.map(|it| it.evaluations).ok_or(found)
    }

    fn rated(risk: &str, likelihood: i64) -> Value {
        json!({"risk": risk, "likelihood": likelihood, "impact": 2})
    }

    #[test]
    fn rows_are_read_in_their_order() {
        let rows = read(&[rated("RSK-2", 3), rated("RSK-1", 4), rated("RSK-2", 5)]).unwrap();
        let rows: Vec<_> = rows.iter().map(|it| (it.risk.number(), it.evaluation.rating)).collect();
        let rating = |likelihood| Rating { likelihood, impact: 2 };
        assert_eq!(rows, [(2, rating(3)), (1, rating(4)), (2, rating(5))]);
    }

    #[test]
    fn the_faults_of_all_rows_name_their_places() {
        let ahead = json!({"evaluated_at": "2026-03-02T09:00:00Z", "number": 1});
        let found = read(&[rated("RSK-1", 0), rated("x", 1), ahead]).unwrap_err();
        let expected = [
            ("#/evaluations/0/likelihood", FaultCode::Range),
            ("#/evaluations/1/risk", FaultCode::Format),
            ("#/evaluations/2/risk", FaultCode::Required),
            ("#/evaluations/2/likelihood", FaultCode::Required),
            ("#/evaluations/2/impact", FaultCode::Required),
            ("#/evaluations/2/evaluated_at", FaultCode::DateInFuture),
            ("#/evaluations/2/number", FaultCode::ReadOnly),
        ];
        assert_eq!(found, expected.map(|(at, code)| (at.to_owned(), code)));
    }

    #[test]
    fn there_are_at_most_10_000_rows() {
        assert_eq!(read(&vec![rated("1", 1); MAX_EVALUATIONS]).unwrap().len(), MAX_EVALUATIONS);
        let more = read(&vec![rated("1", 1); MAX_EVALUATIONS + 1]);
        assert_eq!(more.unwrap_err(), [("#/evaluations".to_owned(), FaultCode::TooMany)]);
    }
}

//! Which evaluation of a risk is the latest.

use std::collections::{BTreeMap, HashMap, HashSet};

use db::Tx;
use domain::evaluation::Evaluation;
use domain::risk::{Current, Risk};
use domain::{OrgId, RiskNumber};
use jiff::Timestamp;

use super::read;
use crate::ledger::error::Result;

/// The latest evaluation of each risk that was evaluated, after these evaluations were recorded.
pub(super) async fn latest(
    tx: &mut Tx,
    organization: OrgId,
    risks: &HashMap<RiskNumber, Risk>,
    made: &[&Evaluation],
) -> Result<BTreeMap<RiskNumber, Current>> {
    let wrong: HashSet<_> = made.iter().filter_map(|it| Some((it.risk, it.supersedes?))).collect();
    let mut latest: BTreeMap<RiskNumber, Current> = BTreeMap::new();
    for it in made.iter().filter(|it| !wrong.contains(&(it.risk, it.number))) {
        let known = latest.entry(it.risk).or_insert_with(|| as_current(it));
        if it.order() > order(known) {
            *known = as_current(it);
        }
    }
    // The evaluations before them are only looked at when the latest one no longer counts.
    let mut again = Vec::new();
    for (number, known) in &mut latest {
        match risks.get(number).and_then(|risk| risk.current) {
            Some(before) if wrong.contains(&(*number, before.evaluation)) => again.push(*number),
            Some(before) if order(&before) > order(known) => *known = before,
            _ => {}
        }
    }
    let found = read::latest(tx, organization, &again).await?;
    latest.extend(found.iter().map(|it| (it.risk, as_current(it))));
    Ok(latest)
}

fn order(current: &Current) -> (Timestamp, i64) {
    (current.evaluated_at, current.evaluation)
}

fn as_current(evaluation: &Evaluation) -> Current {
    Current {
        rating: evaluation.rating,
        evaluation: evaluation.number,
        evaluated_at: evaluation.evaluated_at,
        evaluated_day: evaluation.evaluated_day,
        performance_basis_points: evaluation.performance_basis_points,
    }
}

//! Which evaluation of a risk is the latest.

use std::collections::{BTreeMap, HashSet};

use db::Tx;
use domain::evaluation::Evaluation;
use domain::risk::{Current, Risk};
use domain::{OrgId, RiskNumber};
use jiff::Timestamp;

use super::read;
use crate::ledger::error::Result;

/// The latest evaluation of each risk that was evaluated, after these evaluations were recorded. The risks are known as they were
/// before, and as they are then.
pub(super) async fn latest<'r>(
    tx: &mut Tx,
    organization: OrgId,
    risks: impl Fn(RiskNumber) -> Option<(&'r Risk, &'r Risk)>,
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
    // The evaluations before them are only looked at when the latest one no longer counts, or has a performance only now.
    let mut again = Vec::new();
    for (number, known) in &mut latest {
        let Some((risk, after)) = risks(*number) else { continue };
        let has_target_now = risk.target.is_none() && after.target.is_some();
        match risk.current {
            Some(before) if wrong.contains(&(*number, before.evaluation)) => again.push(*number),
            Some(before) if order(&before) > order(known) && has_target_now => again.push(*number),
            Some(before) if order(&before) > order(known) => *known = before,
            _ => {}
        }
    }
    let found = read::latest(tx, organization, &again).await?;
    latest.extend(found.iter().map(|it| (it.risk, as_current(it))));
    for (number, known) in &mut latest {
        let has_target = risks(*number).is_some_and(|(_, after)| after.target.is_some());
        known.performance_basis_points = known.performance_basis_points.filter(|_| has_target);
    }
    Ok(latest)
}

fn order(current: &Current) -> (Timestamp, i64) {
    (current.evaluated_at, current.evaluation)
}

fn as_current(evaluation: &Evaluation) -> Current {
    Current {
        rating: evaluation.rating,
        scale_version: evaluation.scale_version,
        evaluation: evaluation.number,
        evaluated_at: evaluation.evaluated_at,
        evaluated_day: evaluation.evaluated_day,
        performance_basis_points: evaluation.performance_basis_points,
    }
}

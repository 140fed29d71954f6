//! Keeping `risk_latest` and the sums over it. Each function runs in the write that changes a risk's
//! latest evaluation or whether the risk counts.

use std::collections::BTreeMap;

use db::{Param, Tx};
use domain::OrgId;
use domain::performance::SPANS_SECONDS;
use domain::risk::{Current, Risk};
use domain::time::floor;
use jiff::Timestamp;

use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;

/// The latest evaluation of each of these risks, given as they were before, is this one from now on.
pub(crate) async fn evaluated(tx: &mut Tx, organization: OrgId, latest: &[(&Risk, Current)]) -> Result<()> {
    let changed = latest.iter().filter(|(risk, latest)| risk.current.as_ref() != Some(latest));
    let changed: Vec<(i64, &Risk, &Current)> =
        changed.map(|(risk, latest)| (risk.number.number(), *risk, latest)).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO risk_latest (organization, risk, evaluation, evaluated_at, basis_points, deleted)
         VALUES ($1, $2, $3, $4, $5, FALSE)
         ON CONFLICT (organization, risk) DO UPDATE SET evaluation = excluded.evaluation,
            evaluated_at = excluded.evaluated_at, basis_points = excluded.basis_points";
    let organization_id = organization.uuid();
    let rows: Vec<[&dyn Param; 5]> = changed
        .iter()
        .map(|(number, _, latest)| -> [&dyn Param; 5] {
            let Current { evaluation, evaluated_at, performance_basis_points, .. } = latest;
            [&organization_id, number, evaluation, evaluated_at, performance_basis_points]
        })
        .collect();
    tx.send_many(sql, &rows).await?;
    let mut moved = Vec::with_capacity(2 * changed.len());
    for (_, risk, latest) in &changed {
        moved.extend(risk.current.iter().map(|before| (-1, before)));
        moved.push((1, *latest));
    }
    let moved = moved.into_iter().map(|(sign, it)| (sign, it.evaluated_at, it.performance_basis_points));
    add(tx, organization, moved).await
}

/// Brings up to date what stands here of risks that were changed, deleted or restored: whether they count.
pub(crate) async fn follow(tx: &mut Tx, organization: OrgId, risks: &[i64]) -> Result<()> {
    type Row = (i64, Timestamp, Option<i64>, bool, Option<i64>, Option<Timestamp>);
    if risks.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "SELECT l.risk, l.evaluated_at, l.basis_points, l.deleted,
            CASE WHEN r.target_likelihood IS NOT NULL THEN e.performance_basis_points END, r.deleted_date
         FROM risk_latest AS l
         JOIN risk AS r ON r.organization = l.organization AND r.number = l.risk
         JOIN evaluation AS e ON e.organization = l.organization AND e.risk = l.risk AND e.number = l.evaluation
         WHERE l.organization = $1 AND l.risk IN (SELECT wanted.number FROM {})",
        wanted_numbers(tx.engine())
    );
    let (organization_id, numbers) = (organization.uuid(), numbers_parameter(risks.iter().copied()));
    let found: Vec<Row> = tx.query(&sql, &[&organization_id, &numbers]).await?;
    let found = found.into_iter().map(|(risk, at, points, deleted, points_now, deleted_date)| {
        (risk, at, (points, deleted), (points_now, deleted_date.is_some()))
    });
    let changed: Vec<_> = found.filter(|(_, _, before, now)| before != now).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let sql = "UPDATE risk_latest SET basis_points = $3, deleted = $4 WHERE organization = $1 AND risk = $2";
    let rows = changed.iter().map(|(risk, _, _, (points, deleted))| -> [&dyn Param; 4] {
        [&organization_id, risk, points, deleted]
    });
    tx.send_many(sql, &rows.collect::<Vec<_>>()).await?;
    let counted = |(points, deleted): (Option<i64>, bool)| points.filter(|_| !deleted);
    let moved = changed
        .iter()
        .flat_map(|(_, at, before, now)| [(-1, *at, counted(*before)), (1, *at, counted(*now))]);
    add(tx, organization, moved).await
}

/// Adds evaluations to the sums, or removes those whose sign is -1. Those without basis points do not count, and unchanged
/// sums are not written.
async fn add(
    tx: &mut Tx,
    organization: OrgId,
    evaluations: impl Iterator<Item = (i64, Timestamp, Option<i64>)>,
) -> Result<()> {
    let mut changes: BTreeMap<(i64, Timestamp), (i64, i64)> = BTreeMap::new();
    for (sign, evaluated_at, basis_points) in evaluations {
        let Some(basis_points) = basis_points else { continue };
        for span in SPANS_SECONDS {
            let (risks, sum) = changes.entry((span, floor(evaluated_at, span))).or_default();
            *risks += sign;
            *sum += sign * basis_points;
        }
    }
    changes.retain(|_, change| *change != (0, 0));
    let sql = "INSERT INTO performance_sum (organization, span_seconds, start, risks, basis_points)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (organization, span_seconds, start) DO UPDATE
         SET risks = performance_sum.risks + excluded.risks,
             basis_points = performance_sum.basis_points + excluded.basis_points";
    let organization = organization.uuid();
    let rows: Vec<[&dyn Param; 5]> = changes
        .iter()
        .map(|((span, start), (risks, sum))| -> [&dyn Param; 5] { [&organization, span, start, risks, sum] })
        .collect();
    if !rows.is_empty() {
        tx.send_many(sql, &rows).await?;
    }
    Ok(())
}

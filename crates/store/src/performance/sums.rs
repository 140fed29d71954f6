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

/// `risk` was deleted and no longer counts.
pub(crate) async fn deleted(tx: &mut Tx, organization: OrgId, risk: &Risk) -> Result<()> {
    mark(tx, organization, risk, true).await?;
    shift(tx, organization, risk.current.as_ref(), None).await
}

/// `risk` was restored and counts again.
pub(crate) async fn restored(tx: &mut Tx, organization: OrgId, risk: &Risk) -> Result<()> {
    mark(tx, organization, risk, false).await?;
    shift(tx, organization, None, risk.current.as_ref()).await
}

/// These risks were deleted together, or restored together.
pub(crate) async fn deleted_or_restored(
    tx: &mut Tx,
    organization: OrgId,
    risks: &[i64],
    deleted: bool,
) -> Result<()> {
    if risks.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "SELECT risk, evaluated_at, basis_points FROM risk_latest
         WHERE organization = $1 AND risk IN (SELECT wanted.number FROM {})",
        wanted_numbers(tx.engine())
    );
    let (organization_id, numbers) = (organization.uuid(), numbers_parameter(risks.iter().copied()));
    let latest: Vec<(i64, Timestamp, i64)> = tx.query(&sql, &[&organization_id, &numbers]).await?;
    let marks: Vec<[&dyn Param; 3]> =
        latest.iter().map(|(risk, ..)| -> [&dyn Param; 3] { [&organization_id, risk, &deleted] }).collect();
    if !marks.is_empty() {
        tx.send_many(MARK, &marks).await?;
    }
    let sign = if deleted { -1 } else { 1 };
    add(tx, organization, latest.iter().map(|(_, at, basis_points)| (sign, *at, *basis_points))).await
}

const MARK: &str = "UPDATE risk_latest SET deleted = $3 WHERE organization = $1 AND risk = $2";

/// A risk that was never evaluated has no row.
async fn mark(tx: &mut Tx, organization: OrgId, risk: &Risk, deleted: bool) -> Result<()> {
    tx.send(MARK, &[&organization.uuid(), &risk.number.number(), &deleted]).await?;
    Ok(())
}

/// Removes one evaluation from the sums and adds another.
async fn shift(tx: &mut Tx, organization: OrgId, out: Option<&Current>, put: Option<&Current>) -> Result<()> {
    let evaluations = out.map(|it| (-1, it)).into_iter().chain(put.map(|it| (1, it)));
    let counted = evaluations.map(|(sign, it)| (sign, it.evaluated_at, it.performance_basis_points));
    add(tx, organization, counted).await
}

/// Adds evaluations to the sums, or removes those whose sign is -1. Unchanged sums are not written.
async fn add(
    tx: &mut Tx,
    organization: OrgId,
    evaluations: impl Iterator<Item = (i64, Timestamp, i64)>,
) -> Result<()> {
    let mut changes: BTreeMap<(i64, Timestamp), (i64, i64)> = BTreeMap::new();
    for (sign, evaluated_at, basis_points) in evaluations {
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

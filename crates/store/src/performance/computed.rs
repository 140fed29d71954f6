//! The figure of some risks, or of the past: computed from their latest evaluations.

use db::{Tx, Value};
use domain::OrgId;
use domain::performance::average_percentage;
use macros::boxed;

use super::figure::Performance;
use super::period::Period;
use crate::ledger::error::Result;
use crate::ledger::view::Deleted;
use crate::risks::{self, RiskFilter};

/// A figure with the numbers behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Computed {
    /// The figure.
    pub figure: Performance,
    /// The sum of the basis points of the risks that count.
    pub basis_points: i64,
    /// How many risks the figure speaks of.
    pub coverage: Coverage,
}

/// How many risks a figure speaks of: those that nobody evaluates are in no figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Open risks.
    pub open: i64,
    /// Open risks whose latest evaluation is in the period.
    pub evaluated: i64,
    /// Those of them whose current score is above the inherent one.
    pub worse_than_inherent: i64,
}

/// The figure of the risks that the filter lets through. Its search does not count.
#[boxed]
pub async fn compute(
    tx: &mut Tx,
    organization: OrgId,
    period: Period,
    filter: &RiskFilter,
) -> Result<Computed> {
    let select = risks::with_latest(organization, period.view(Deleted::Without), filter, "");
    let bounds = [Value::Time(period.after()), Value::Time(period.until)];
    let (count, basis_points, open, evaluated, worse_than_inherent): (i64, i64, i64, i64, i64) =
        select.aggregate(tx, bounds, columns).await?;
    let average_performance_percentage = average_percentage(basis_points, count);
    Ok(Computed {
        figure: Performance { total_risks_evaluated: count, average_performance_percentage },
        basis_points,
        coverage: Coverage { open, evaluated, worse_than_inherent },
    })
}

/// What is counted of the risks `r` and their latest evaluations `e`.
fn columns([after, until]: [String; 2]) -> String {
    let recent = format!("e.evaluated_at > {after} AND e.evaluated_at <= {until}");
    let counts =
        format!("r.target_likelihood IS NOT NULL AND e.performance_basis_points IS NOT NULL AND {recent}");
    let open = format!("r.status = 'open' AND {recent}");
    format!(
        "count(CASE WHEN {counts} THEN 1 END),
         CAST(COALESCE(SUM(CASE WHEN {counts} THEN e.performance_basis_points END), 0) AS BIGINT),
         count(CASE WHEN r.status = 'open' THEN 1 END),
         count(CASE WHEN {open} THEN 1 END),
         count(CASE WHEN {open} AND e.rating_likelihood * e.rating_impact > e.inherent_score THEN 1 END)"
    )
}

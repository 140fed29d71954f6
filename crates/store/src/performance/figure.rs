//! Reading the figure.

use db::{Param, Tx};
use domain::OrgId;
use domain::performance::{SPANS_SECONDS, Window, average_percentage, cutoff};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::journal;

/// The single rows near the cutoff and the sums behind it, each with the sign with which it counts; see [`Window`]. After
/// the organization come sign and bounds of the rows, then length, sign and bounds of each sum.
const FIGURE: &str =
    "SELECT CAST(COALESCE(SUM(risks), 0) AS BIGINT), CAST(COALESCE(SUM(basis_points), 0) AS BIGINT)
    FROM (
        SELECT CAST($2 AS BIGINT) AS risks, $2 * basis_points AS basis_points FROM risk_latest
        WHERE organization = $1 AND NOT deleted AND basis_points IS NOT NULL AND evaluated_at >= $3 AND evaluated_at < $4
        UNION ALL
        SELECT $6 * risks, $6 * basis_points FROM performance_sum
        WHERE organization = $1 AND span_seconds = $5 AND start >= $7 AND start < $8
        UNION ALL
        SELECT $10 * risks, $10 * basis_points FROM performance_sum
        WHERE organization = $1 AND span_seconds = $9 AND start >= $11 AND start < $12
        UNION ALL
        SELECT $14 * risks, $14 * basis_points FROM performance_sum
        WHERE organization = $1 AND span_seconds = $13 AND start >= $15 AND start < $16
        UNION ALL
        SELECT $18 * risks, $18 * basis_points FROM performance_sum
        WHERE organization = $1 AND span_seconds = $17 AND start >= $19 AND start < $20
    ) AS part";

/// The figure of an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Performance {
    /// Risks, not deleted, whose latest evaluation is in the period.
    pub total_risks_evaluated: i64,
    /// The average performance of those evaluations in per cent, rounded half up; 0 without any.
    pub average_performance_percentage: i64,
}

/// The moment at which a figure is read: now, or the time of the organization's last write if it was given a later one.
pub(super) async fn now(tx: &mut Tx, organization: OrgId) -> Result<Timestamp> {
    let last_at = journal::head(tx, organization).await?.last_at;
    Ok(last_at.map_or(tx.at(), |last| last.max(tx.at())))
}

/// The figure of the last `period_days` times 24 hours.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, period_days: i64) -> Result<Performance> {
    let now = now(tx, organization).await?;
    let Window { rows, sums } = Window::after(cutoff(now, period_days));
    let organization = organization.uuid();
    let mut params: Vec<&dyn Param> = vec![&organization, &rows.sign, &rows.from, &rows.before];
    for (seconds, sum) in SPANS_SECONDS.iter().zip(&sums) {
        let of_sum: [&dyn Param; 4] = [seconds, &sum.sign, &sum.from, &sum.before];
        params.extend(of_sum);
    }
    let (count, sum): (i64, i64) = tx.query_one(FIGURE, &params).await?;
    Ok(Performance {
        total_risks_evaluated: count,
        average_performance_percentage: average_percentage(sum, count),
    })
}

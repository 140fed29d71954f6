//! Reading the figure.

use db::{Param, Tx};
use domain::OrgId;
use domain::performance::{SPANS_SECONDS, Window, average_percentage, cutoff};

use crate::error::Result;
use crate::journal;

/// The single rows near the cutoff and the sums behind it, each with the sign with which it counts; see [`Window`].
const FIGURE: &str =
    "SELECT CAST(COALESCE(SUM(risks), 0) AS BIGINT), CAST(COALESCE(SUM(basis_points), 0) AS BIGINT)
    FROM (
        SELECT CAST($1 AS BIGINT) AS risks, $1 * basis_points AS basis_points FROM risk_latest
        WHERE organization = $2 AND NOT deleted AND evaluated_at >= $3 AND evaluated_at < $4
        UNION ALL
        SELECT $5 * risks, $5 * basis_points FROM performance_sum
        WHERE organization = $2 AND span_seconds = $6 AND start >= $7 AND start < $8
        UNION ALL
        SELECT $9 * risks, $9 * basis_points FROM performance_sum
        WHERE organization = $2 AND span_seconds = $10 AND start >= $11 AND start < $12
        UNION ALL
        SELECT $13 * risks, $13 * basis_points FROM performance_sum
        WHERE organization = $2 AND span_seconds = $14 AND start >= $15 AND start < $16
        UNION ALL
        SELECT risks, basis_points FROM performance_sum
        WHERE organization = $2 AND span_seconds = $17 AND start >= $18
    ) AS part";

/// The figure of an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Performance {
    /// Risks, not deleted, whose latest evaluation lies in the period.
    pub total_risks_evaluated: i64,
    /// The average performance of those evaluations in per cent, rounded half up; 0 without any.
    pub average_performance_percentage: i64,
}

/// The figure of the last `period_days` times 24 hours. Now is the time of the read, or that of the
/// organization's last write if it was given a later one.
pub async fn get(tx: &mut Tx, organization: OrgId, period_days: i64) -> Result<Performance> {
    let last_at = journal::head(tx, organization).await?.last_at;
    let now = last_at.map_or(tx.at(), |last| last.max(tx.at()));
    let Window { rows, sums: [minutes, hours, days, blocks] } = Window::after(cutoff(now, period_days));
    let [minute, hour, day, block] = SPANS_SECONDS;
    let organization = organization.uuid();
    let params: [&dyn Param; 18] = [
        &rows.sign,
        &organization,
        &rows.from,
        &rows.before,
        &minutes.sign,
        &minute,
        &minutes.from,
        &minutes.before,
        &hours.sign,
        &hour,
        &hours.from,
        &hours.before,
        &days.sign,
        &day,
        &days.from,
        &days.before,
        &block,
        &blocks.from,
    ];
    let (count, sum): (i64, i64) = tx.query_one(FIGURE, &params).await?;
    Ok(Performance {
        total_risks_evaluated: count,
        average_performance_percentage: average_percentage(sum, count),
    })
}

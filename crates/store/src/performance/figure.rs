//! Reading the figure.

use db::{Param, Tx};
use domain::OrgId;
use domain::performance::{Window, average_percentage, cutoff};

use crate::error::Result;
use crate::journal;

/// The single rows of the cutoff's own minute, and the sums behind it; see [`Window`].
const FIGURE: &str =
    "SELECT CAST(COALESCE(SUM(risks), 0) AS BIGINT), CAST(COALESCE(SUM(basis_points), 0) AS BIGINT)
    FROM (
        SELECT CAST(1 AS BIGINT) AS risks, basis_points FROM risk_latest
        WHERE organization = $1 AND NOT deleted AND evaluated_at > $2 AND evaluated_at < $3
        UNION ALL
        SELECT risks, basis_points FROM performance_sum
        WHERE organization = $1 AND span_seconds = $4 AND start >= $5 AND start < $6
        UNION ALL
        SELECT risks, basis_points FROM performance_sum
        WHERE organization = $1 AND span_seconds = $7 AND start >= $8 AND start < $9
        UNION ALL
        SELECT risks, basis_points FROM performance_sum
        WHERE organization = $1 AND span_seconds = $10 AND start >= $11 AND start < $12
        UNION ALL
        SELECT risks, basis_points FROM performance_sum
        WHERE organization = $1 AND span_seconds = $13 AND start >= $14
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
    let Window { rows, spans: [minutes, hours, days, blocks] } = Window::after(cutoff(now, period_days));
    let organization = organization.uuid();
    let params: [&dyn Param; 14] = [
        &organization,
        &rows.0,
        &rows.1,
        &minutes.seconds,
        &minutes.from,
        &hours.from,
        &hours.seconds,
        &hours.from,
        &days.from,
        &days.seconds,
        &days.from,
        &blocks.from,
        &blocks.seconds,
        &blocks.from,
    ];
    let (count, sum): (i64, i64) = tx.query_one(FIGURE, &params).await?;
    Ok(Performance {
        total_risks_evaluated: count,
        average_performance_percentage: average_percentage(sum, count),
    })
}

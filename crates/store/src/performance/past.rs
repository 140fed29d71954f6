//! The figure of a past time, computed from the evaluations that were known then.

use db::Tx;
use domain::OrgId;
use domain::performance::{average_percentage, cutoff};
use jiff::Timestamp;
use macros::boxed;

use super::figure::Performance;
use crate::ledger::error::Result;
use crate::risks::latest_known;

/// The figure of the `period_days` times 24 hours before a time, as it was known at the journal entry `seq`.
#[boxed]
pub async fn as_of(
    tx: &mut Tx,
    organization: OrgId,
    (until, seq): (Timestamp, i64),
    period_days: i64,
) -> Result<Performance> {
    let sql = format!(
        "SELECT count(*), CAST(COALESCE(SUM(e.performance_basis_points), 0) AS BIGINT)
         FROM (SELECT r.organization, r.number FROM risk AS r
               WHERE r.organization = $1 AND r.seq_from <= $2
                 AND r.deleted_date IS NULL AND r.target_likelihood IS NOT NULL
               UNION ALL SELECT r.organization, r.number FROM risk_history AS r
               WHERE r.organization = $1 AND r.seq_from <= $2 AND r.seq_to > $2
                 AND r.deleted_date IS NULL AND r.target_likelihood IS NOT NULL) AS r
         JOIN evaluation AS e ON e.organization = r.organization AND e.risk = r.number AND e.number = {}
         WHERE e.performance_basis_points IS NOT NULL AND e.evaluated_at > $3",
        latest_known("known.number", "$2")
    );
    let params: [&dyn db::Param; 3] = [&organization.uuid(), &seq, &cutoff(until, period_days)];
    let (count, sum): (i64, i64) = tx.query_one(&sql, &params).await?;
    let average_performance_percentage = average_percentage(sum, count);
    Ok(Performance { total_risks_evaluated: count, average_performance_percentage })
}

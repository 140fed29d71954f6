//! What the figure is made of: each risk that counts, with what it adds.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use domain::performance::cutoff;
use domain::risk::Risk;
use macros::boxed;

use super::figure::now;
use super::parts::Part;
use crate::ledger::error::Result;
use crate::ledger::page::Page;
use crate::risks;

/// Up to `limit` risks that count in the figure of the last `period_days` times 24 hours, those first that have reached
/// least of their planned reduction. The scores are those that were recorded, so that a later plan does not change them.
#[boxed]
pub async fn contributions(
    tx: &mut Tx,
    organization: OrgId,
    period_days: i64,
    limit: i64,
) -> Result<Page<Part>> {
    let after = cutoff(now(tx, organization).await?, period_days);
    let sql = "SELECT l.risk, e.inherent_score, e.target_score
               FROM (SELECT organization, risk, evaluation, basis_points FROM risk_latest
                     WHERE organization = $1 AND NOT deleted AND basis_points IS NOT NULL AND evaluated_at > $2
                     ORDER BY basis_points, risk LIMIT $3) AS l
               JOIN evaluation AS e
                   ON e.organization = l.organization AND e.risk = l.risk AND e.number = l.evaluation
               ORDER BY l.basis_points, l.risk";
    let found: Vec<(i64, Option<i64>, Option<i64>)> =
        tx.query(sql, &[&organization.uuid(), &after, &(limit + 1)]).await?;
    let found = Page::cut(found, limit);
    let numbers: Vec<i64> = found.rows.iter().map(|(number, ..)| *number).collect();
    let risks = risks::of_numbers(tx, organization, numbers.into_iter()).await?;
    let mut risks: HashMap<i64, Risk> = risks.into_iter().map(|risk| (risk.number.number(), risk)).collect();
    let part = |(number, inherent_score, target_score): (i64, _, _)| {
        Some(Part { risk: risks.remove(&number)?, inherent_score, target_score, excluded: None })
    };
    Ok(Page { rows: found.rows.into_iter().filter_map(part).collect(), has_more: found.has_more })
}

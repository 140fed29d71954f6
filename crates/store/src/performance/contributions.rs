//! What the figure is made of: each risk that counts, with what it adds.

use db::Tx;
use domain::OrgId;
use domain::performance::cutoff;
use domain::risk::Risk;
use macros::boxed;

use super::figure::now;
use crate::ledger::error::Result;
use crate::ledger::page::Page;
use crate::risks;

/// Up to `limit` risks that count in the figure of the last `period_days` times 24 hours, those first that have reached
/// least of their planned reduction.
#[boxed]
pub async fn contributions(
    tx: &mut Tx,
    organization: OrgId,
    period_days: i64,
    limit: i64,
) -> Result<Page<Risk>> {
    let after = cutoff(now(tx, organization).await?, period_days);
    let sql = "SELECT risk FROM risk_latest
               WHERE organization = $1 AND NOT deleted AND basis_points IS NOT NULL AND evaluated_at > $2
               ORDER BY basis_points, risk LIMIT $3";
    let numbers: Vec<(i64,)> = tx.query(sql, &[&organization.uuid(), &after, &(limit + 1)]).await?;
    let numbers = Page::cut(numbers, limit);
    let order: Vec<i64> = numbers.rows.into_iter().map(|(number,)| number).collect();
    let mut rows = risks::of_numbers(tx, organization, order.iter().copied()).await?;
    rows.sort_by_key(|risk| order.iter().position(|number| *number == risk.number.number()));
    Ok(Page { rows, has_more: numbers.has_more })
}

//! Reading evaluations.

use db::{Param, Tx};
use domain::evaluation::Evaluation;
use domain::{Error, Noun, OrgId, RiskNumber};
use jiff::Timestamp;

use super::row::{COLUMNS, EvaluationRow, TABLE};
use crate::error::Result;
use crate::page::Page;
use crate::risks;
use crate::view::View;

/// One evaluation of a risk that is not deleted.
pub async fn get(tx: &mut Tx, organization: OrgId, risk: RiskNumber, number: i64) -> Result<Evaluation> {
    risks::get_without_tags(tx, organization, risk, View::now()).await?;
    Ok(find(tx, organization, risk, number).await?.ok_or(Error::NotFound(Noun::Evaluation))?)
}

/// Up to `limit` evaluations of a risk that is not deleted, superseded ones too, the latest first: those
/// before the evaluation with this time and number.
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    before: Option<(Timestamp, i64)>,
    limit: i64,
) -> Result<Page<Evaluation>> {
    risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let (evaluated_at, number) = before.unwrap_or((Timestamp::MAX, i64::MAX));
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLE}
         WHERE e.organization = $1 AND e.risk = $2 AND (e.evaluated_at, e.number) < ($3, $4)
         ORDER BY e.evaluated_at DESC, e.number DESC LIMIT $5"
    );
    let params: [&dyn Param; 5] =
        [&organization.uuid(), &risk.number(), &evaluated_at, &number, &(limit + 1)];
    let rows: Vec<EvaluationRow> = tx.query(&sql, &params).await?;
    Ok(Page::cut(rows.into_iter().map(|row| row.evaluation).collect(), limit))
}

/// How many evaluations a risk has, whatever became of it.
pub async fn count(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<i64> {
    let sql = "SELECT count(*) FROM evaluation WHERE organization = $1 AND risk = $2";
    let (count,) = tx.query_one(sql, &[&organization.uuid(), &risk.number()]).await?;
    Ok(count)
}

/// An evaluation, whatever became of its risk.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    number: i64,
) -> Result<Option<Evaluation>> {
    let sql =
        format!("SELECT {COLUMNS} FROM {TABLE} WHERE e.organization = $1 AND e.risk = $2 AND e.number = $3");
    let row: Option<EvaluationRow> =
        tx.query_opt(&sql, &[&organization.uuid(), &risk.number(), &number]).await?;
    Ok(row.map(|row| row.evaluation))
}

/// The latest evaluation of a risk that is not superseded.
pub(super) async fn latest(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<Option<Evaluation>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLE}
         WHERE e.organization = $1 AND e.risk = $2 AND e.superseded_by IS NULL
         ORDER BY e.evaluated_at DESC, e.number DESC LIMIT 1"
    );
    let row: Option<EvaluationRow> = tx.query_opt(&sql, &[&organization.uuid(), &risk.number()]).await?;
    Ok(row.map(|row| row.evaluation))
}

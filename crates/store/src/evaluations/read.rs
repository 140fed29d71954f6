//! Reading evaluations.

use db::{Tx, Value};
use domain::evaluation::Evaluation;
use domain::{Error, OrgId, ResourceKind, RiskNumber};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
use crate::ledger::view::View;
use crate::risks;

/// The order of evaluations: the greatest of these that is not superseded is the latest.
const ORDER: &[&str] = &["evaluated_at", "number"];

/// One evaluation of a risk that is not deleted.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, risk: RiskNumber, number: i64) -> Result<Evaluation> {
    risks::get_without_tags(tx, organization, risk, View::now()).await?;
    Ok(find(tx, organization, risk, number).await?.ok_or(Error::NotFound(ResourceKind::Evaluation))?)
}

/// Up to `limit` evaluations of a risk that is not deleted, superseded ones too, the latest first: those
/// before the evaluation with this time and number.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    before: Option<(Timestamp, i64)>,
    limit: i64,
) -> Result<Page<Evaluation>> {
    risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let before = before.map(|(evaluated_at, number)| [evaluated_at.into(), number.into()]);
    let before = before.into_iter().flatten();
    let page =
        of_risk(organization, risk).order(ORDER, Direction::Descending, before).page(tx, limit).await?;
    Ok(page.map(|Stored(evaluation)| evaluation))
}

/// How many evaluations a risk has, deleted or not.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<i64> {
    of_risk(organization, risk).count(tx).await
}

/// An evaluation, also of a deleted risk.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    number: i64,
) -> Result<Option<Evaluation>> {
    let by_number = Filter::is("number", number.into());
    let found = of_risk(organization, risk).filter(by_number).one(tx).await?;
    Ok(found.map(|Stored(evaluation)| evaluation))
}

/// The latest evaluation of a risk that is not superseded.
pub(super) async fn latest(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<Option<Evaluation>> {
    let counts = Filter::is("superseded_by", Value::Null);
    let found =
        of_risk(organization, risk).filter(counts).order(ORDER, Direction::Descending, []).one(tx).await?;
    Ok(found.map(|Stored(evaluation)| evaluation))
}

/// The evaluations of a risk.
fn of_risk<'q>(organization: OrgId, risk: RiskNumber) -> Select<'q, Evaluation> {
    let of_risk = Filter::is("risk", risk.number().into());
    Select::of(organization, View::with_deleted()).filter(of_risk)
}

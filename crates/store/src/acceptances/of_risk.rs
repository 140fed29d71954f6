//! The acceptances of one risk.

use db::{Tx, Value};
use domain::acceptance::Acceptance;
use domain::{Error, OrgId, ResourceKind, RiskNumber};
use macros::boxed;

use super::read::{AcceptanceDetails, TITLE, details, title};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::view::View;
use crate::risks;

/// One acceptance of a risk that is not deleted.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    number: i64,
) -> Result<AcceptanceDetails> {
    risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let by_number = Filter::is("number", number.into());
    let rows = of_risk(organization, risk).filter(by_number).with(TITLE, title).all(tx).await?;
    let found = details(tx, organization, rows).await?.pop();
    Ok(found.ok_or(Error::NotFound(ResourceKind::Acceptance))?)
}

/// Up to `limit` acceptances of a risk, the latest first: those before the number `before`.
#[boxed]
pub async fn list_of_risk(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    before: Option<i64>,
    limit: i64,
) -> Result<Page<AcceptanceDetails>> {
    risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let select = of_risk(organization, risk).with(TITLE, title);
    let select = select.order(&["number"], Direction::Descending, before.map(Value::from));
    let Page { rows, has_more } = select.page(tx, limit).await?;
    Ok(Page { rows: details(tx, organization, rows).await?, has_more })
}

/// How many acceptances a risk has.
#[boxed]
pub async fn count_of_risk(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<i64> {
    of_risk(organization, risk).count(tx).await
}

fn of_risk<'q>(organization: OrgId, risk: RiskNumber) -> Select<'q, Acceptance> {
    let of_risk = Filter::is("risk", risk.number().into());
    Select::of(organization, View::with_deleted()).filter(of_risk)
}

//! The acceptances of one risk.

use db::{Tx, Value};
use domain::acceptance::Acceptance;
use domain::{Error, OrgId, ResourceKind, RiskNumber};
use macros::boxed;

use super::read::{AcceptanceDetails, details, titled};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::view::View;
use crate::risks;

/// One acceptance of a risk that is not deleted, as a view sees both.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    risk: RiskNumber,
    number: i64,
) -> Result<AcceptanceDetails> {
    risks::get_without_tags(tx, organization, risk, view).await?;
    let by_number = Filter::is("number", number.into());
    let rows = of_risk(organization, view, risk).filter(by_number).all(tx).await?;
    let found = details(tx, organization, view, rows).await?.pop();
    Ok(found.ok_or(Error::NotFound(ResourceKind::Acceptance))?)
}

/// Up to `limit` acceptances of a risk that a view sees, the latest first: those before the number `before`.
#[boxed]
pub async fn list_of_risk(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    risk: RiskNumber,
    before: Option<i64>,
    limit: i64,
) -> Result<Page<AcceptanceDetails>> {
    risks::get_without_tags(tx, organization, risk, view).await?;
    let select =
        of_risk(organization, view, risk).order(&["number"], Direction::Descending, before.map(Value::from));
    let Page { rows, has_more } = select.page(tx, limit).await?;
    Ok(Page { rows: details(tx, organization, view, rows).await?, has_more })
}

/// How many acceptances a risk has.
#[boxed]
pub async fn count_of_risk(tx: &mut Tx, organization: OrgId, view: View, risk: RiskNumber) -> Result<i64> {
    of_risk(organization, view, risk).count(tx).await
}

fn of_risk<'q>(organization: OrgId, view: View, risk: RiskNumber) -> Select<'q, Acceptance> {
    titled(organization, view).filter(Filter::is("risk", risk.number().into()))
}

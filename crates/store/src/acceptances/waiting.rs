//! What waits for a decision of somebody: open requests, and acceptances to confirm.

use std::collections::HashSet;

use db::{Tx, Value};
use domain::OrgId;
use domain::acceptance::AcceptanceDecider;
use domain::accepting::Decider;
use domain::decision::DecisionState;
use domain::document::Day;
use domain::scale::Scales;
use macros::boxed;

use super::decide::deciders;
use super::list::{AcceptanceFilter, filtered};
use super::read::{AcceptanceDetails, details};
use crate::ledger::error::Result;
use crate::ledger::list::Direction;
use crate::ledger::page::Page;
use crate::risks;

/// So many are looked at, the oldest first.
const LOOKED_AT: i64 = 200;

/// Up to `limit` open requests that somebody may decide about, the oldest first.
#[boxed]
pub async fn waiting(
    tx: &mut Tx,
    organization: OrgId,
    scales: &Scales,
    by: Decider<'_>,
    limit: i64,
) -> Result<Vec<AcceptanceDetails>> {
    let open = AcceptanceFilter { state: vec![DecisionState::Requested], ..AcceptanceFilter::default() };
    decided_by(tx, organization, scales, by, &open, limit).await
}

/// Up to `limit` acceptances in force that somebody may confirm, because who accepted them has left; the oldest first.
#[boxed]
pub async fn to_confirm(
    tx: &mut Tx,
    organization: OrgId,
    scales: &Scales,
    by: Decider<'_>,
    limit: i64,
) -> Result<Vec<AcceptanceDetails>> {
    let left = AcceptanceFilter {
        state: vec![DecisionState::Accepted],
        decider: Some(AcceptanceDecider::Left),
        ..AcceptanceFilter::default()
    };
    decided_by(tx, organization, scales, by, &left, limit).await
}

async fn decided_by(
    tx: &mut Tx,
    organization: OrgId,
    scales: &Scales,
    by: Decider<'_>,
    filter: &AcceptanceFilter,
    limit: i64,
) -> Result<Vec<AcceptanceDetails>> {
    let (view, today) = (View::now(), Day::of(tx.at()));
    let select =
        filtered(organization, view, filter, &today).order(&["seq"], Direction::Ascending, None::<Value>);
    let Page { rows, .. } = select.page(tx, LOOKED_AT).await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut all = details(tx, organization, view, rows).await?;
    let numbers: HashSet<_> = all.iter().map(|it| it.acceptance.risk).collect();
    let risks = risks::by_number(tx, organization, &numbers).await?;
    let known = deciders(tx, organization, scales, by.0).await?;
    let may_decide = |it: &AcceptanceDetails| {
        let risk = risks.get(&it.acceptance.risk);
        risk.is_some_and(|risk| known.may_decide(&it.acceptance, (risk, scales), by))
    };
    all.retain(may_decide);
    all.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(all)
}

//! Confirming acceptances: those who decide about the risks now stand by what others have accepted.

use std::collections::HashMap;

use db::Tx;
use domain::acceptance::Acceptance;
use domain::accepting::AcceptanceConfirmation;
use domain::{Author, Error, ErrorCode, OrgId, ResourceKind, RiskNumber};
use macros::boxed;

use super::decide::deciders;
use super::read;
use super::write::{self, Change};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::{risks, scales};

/// What became of the acceptance of a risk: its number, or why it was not confirmed.
pub type Confirmed = (RiskNumber, domain::Result<i64>);

/// Confirms the acceptances in force of some risks. One that is refused leaves the others.
#[boxed]
pub async fn confirm(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    confirmation: &AcceptanceConfirmation,
) -> Result<Vec<Confirmed>> {
    let numbers = &confirmation.risks;
    let known = risks::by_number(tx, organization, &numbers.iter().copied().collect()).await?;
    let accepted =
        read::of_risks(tx, organization, View::now(), numbers.iter().map(|it| it.number())).await?;
    let scales = scales::known(tx, organization, View::now()).await?;
    let people = deciders(tx, organization, &scales, &author.actor).await?;
    let (by, at) = ((&author.actor, author.scopes()), tx.at());
    let plan = |number: &RiskNumber| -> domain::Result<Change> {
        let risk = known.get(number).ok_or(Error::NotFound(ResourceKind::Risk))?;
        let before = in_force(&accepted, *number)?;
        let after = people.confirm(before, (risk, &scales), by, at)?;
        Ok(Change { kind: "risk.acceptance_confirmed", before: before.clone(), after })
    };
    let planned: Vec<(RiskNumber, domain::Result<Change>)> =
        numbers.iter().map(|it| (*it, plan(it))).collect();
    let number = |change: &Change| change.after.number;
    let results =
        planned.iter().map(|(risk, it)| (*risk, it.as_ref().map(number).map_err(Clone::clone))).collect();
    let changes =
        planned.into_iter().filter_map(|(_, it)| it.ok()).filter(|it| it.after != it.before).collect();
    write::replace(tx, organization, author, changes).await?;
    Ok(results)
}

/// The acceptance of a risk that has not ended. One in force is as it is stored.
fn in_force(accepted: &HashMap<i64, Vec<Acceptance>>, risk: RiskNumber) -> domain::Result<&Acceptance> {
    let mut all = accepted.get(&risk.number()).into_iter().flatten();
    let found = all.find(|it| it.decision.state.is_live());
    found.ok_or(Error::Conflict(ErrorCode::DecisionNotPossible))
}

//! Confirming acceptances: those who decide about the risks now stand by what others have accepted.

use std::collections::HashMap;

use db::Tx;
use domain::acceptance::Acceptance;
use domain::accepting::{AcceptanceConfirmation, AcceptanceToConfirm};
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

/// Confirms these acceptances, which are in force. One that is refused leaves the others.
#[boxed]
pub async fn confirm(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    confirmation: &AcceptanceConfirmation,
) -> Result<Vec<Confirmed>> {
    let meant = &confirmation.acceptances;
    let known = risks::by_number(tx, organization, &meant.iter().map(|it| it.risk).collect()).await?;
    let open = read::of_risks(tx, organization, View::now(), meant.iter().map(|it| it.risk.number())).await?;
    let scales = scales::known(tx, organization, View::now()).await?;
    let people = deciders(tx, organization, &scales, &author.actor).await?;
    let (by, at) = ((&author.actor, author.scopes()), tx.at());
    let plan = |it: &AcceptanceToConfirm| -> domain::Result<Change> {
        let risk = known.get(&it.risk).ok_or(Error::NotFound(ResourceKind::Risk))?;
        let before = named(&open, *it)?;
        let after = people.confirm(before, (risk, &scales), by, at)?;
        Ok(Change { kind: "risk.acceptance_confirmed", before: before.clone(), after })
    };
    let planned: Vec<(RiskNumber, domain::Result<Change>)> =
        meant.iter().map(|it| (it.risk, plan(it))).collect();
    let number = |change: &Change| change.after.number;
    let results =
        planned.iter().map(|(risk, it)| (*risk, it.as_ref().map(number).map_err(Clone::clone))).collect();
    let changes =
        planned.into_iter().filter_map(|(_, it)| it.ok()).filter(|it| it.after != it.before).collect();
    write::replace(tx, organization, author, changes).await?;
    Ok(results)
}

/// The acceptance that is meant, if it has not ended: never a later one, which nobody has seen. One in force is as it is stored.
fn named(open: &HashMap<i64, Vec<Acceptance>>, meant: AcceptanceToConfirm) -> domain::Result<&Acceptance> {
    let mut all = open.get(&meant.risk.number()).into_iter().flatten();
    let found = all.find(|it| it.number == meant.number);
    found.ok_or(Error::Conflict(ErrorCode::DecisionNotPossible))
}

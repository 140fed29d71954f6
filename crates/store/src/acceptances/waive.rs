//! Letting those decide about a request who have made it.

use db::Tx;
use domain::acceptance::Acceptance;
use domain::accepting::FourEyesWaiver;
use domain::{Author, OrgId, RiskNumber};
use macros::boxed;

use super::read::{self, AcceptanceDetails};
use super::write::{self, Change};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::risks;

/// Lets those decide about an open request who have made it.
#[boxed]
pub async fn waive_four_eyes(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (risk, number): (RiskNumber, i64),
    waiver: &FourEyesWaiver,
) -> Result<AcceptanceDetails> {
    let risk = risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let before = read::find(tx, organization, risk.number, number).await?;
    let decision = before.decision.waive_four_eyes(waiver.reason.clone(), tx.at())?;
    if decision == before.decision {
        return Ok(AcceptanceDetails::of(before, risk.title, tx.at()));
    }
    let after = Acceptance { decision, ..before.clone() };
    let change = Change { kind: "risk.acceptance_four_eyes_waived", before, after };
    let waived = write::replace_one(tx, organization, author, change).await?;
    Ok(AcceptanceDetails::of(waived, risk.title, tx.at()))
}

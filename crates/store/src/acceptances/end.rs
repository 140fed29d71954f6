//! Withdrawing a request to accept a risk, and revoking an acceptance.

use db::Tx;
use domain::acceptance::Acceptance;
use domain::accepting::{Revocation, check_withdrawer};
use domain::decision::DecisionStep;
use domain::risk::Risk;
use domain::{Author, OrgId, Prose, RiskNumber};
use macros::boxed;

use super::read::{self, AcceptanceDetails};
use super::write::{self, Change};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::risks;

/// Takes a request back: who has asked may do that, and the owner of the risk.
#[boxed]
pub async fn withdraw(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (risk, number): (RiskNumber, i64),
) -> Result<AcceptanceDetails> {
    let risk = risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let before = read::find(tx, organization, risk.number, number).await?;
    check_withdrawer(&before, &risk, &author.actor)?;
    let kind = "risk.acceptance_withdrawn";
    end(tx, organization, author, (risk, before), (kind, DecisionStep::Withdraw, None)).await
}

/// Ends an acceptance for a reason.
#[boxed]
pub async fn revoke(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (risk, number): (RiskNumber, i64),
    revocation: &Revocation,
) -> Result<AcceptanceDetails> {
    let risk = risks::get_without_tags(tx, organization, risk, View::now()).await?;
    let before = read::find(tx, organization, risk.number, number).await?;
    let reason = Some(revocation.reason.clone());
    let kind = "risk.acceptance_revoked";
    end(tx, organization, author, (risk, before), (kind, DecisionStep::Revoke, reason)).await
}

async fn end(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (risk, before): (Risk, Acceptance),
    (kind, step, reason): (&'static str, DecisionStep, Option<Prose>),
) -> Result<AcceptanceDetails> {
    let decision = before.decision.end(step, reason, author.actor.clone(), tx.at())?;
    let after = Acceptance { decision, ..before.clone() };
    let ended = write::replace_one(tx, organization, author, Change { kind, before, after }).await?;
    Ok(AcceptanceDetails::of(ended, risk.title, tx.at()))
}

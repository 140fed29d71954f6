//! Deciding about requests for exceptions, waiving four eyes for one, withdrawing them, and revoking exceptions.

use db::Tx;
use domain::accepting::{FourEyesWaiver, Revocation};
use domain::decision::{DecisionStep, Recorded, Verdict};
use domain::exception::{ExceptionDecision, PolicyException};
use domain::{Author, Error, OrgId};
use macros::boxed;

use super::read::{self, ExceptionDetails};
use super::replace;
use crate::ledger::error::Result;
use crate::{documents, organizations};

/// Accepts or refuses what was asked for, or records that others did. What is accepted takes the place of the exception that it
/// names.
#[boxed]
pub async fn decide(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    decision: &ExceptionDecision,
    recorded: Option<&Recorded>,
) -> Result<ExceptionDetails> {
    let document = documents::get(tx, organization, slug).await?;
    let before = read::find(tx, organization, slug, number).await?;
    let four_eyes = organizations::four_eyes(tx, organization, author.actor.person().as_slice()).await?;
    let after = decision.decide(&before, &document, recorded, (&author.actor, &four_eyes), tx.at())?;
    let kind = if recorded.is_some() { "exception.decision_recorded" } else { "exception.decided" };
    let decided = replace(tx, organization, author, kind, &before, after).await?;
    if let Some(replaced) = decided.replaces.filter(|_| decision.decision == Verdict::Accepted) {
        let before = read::find(tx, organization, slug, replaced).await?;
        // One that has ended meanwhile stays as it is.
        if let Ok(ended) = before.decision.end(DecisionStep::Replace, None, author.actor.clone(), tx.at()) {
            let after = PolicyException { decision: ended, ..before.clone() };
            replace(tx, organization, author, "exception.changed", &before, after).await?;
        }
    }
    Ok(ExceptionDetails::of(decided, &document.document, tx.at()))
}

/// Lets those decide about an open request who have made it.
#[boxed]
pub async fn waive_four_eyes(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    waiver: &FourEyesWaiver,
) -> Result<ExceptionDetails> {
    let document = documents::get(tx, organization, slug).await?.document;
    let before = read::find(tx, organization, slug, number).await?;
    let decision = before.decision.waive_four_eyes(waiver.reason.clone(), tx.at())?;
    if decision == before.decision {
        return Ok(ExceptionDetails::of(before, &document, tx.at()));
    }
    let after = PolicyException { decision, ..before.clone() };
    let waived = replace(tx, organization, author, "exception.four_eyes_waived", &before, after).await?;
    Ok(ExceptionDetails::of(waived, &document, tx.at()))
}

/// Takes a request back: who has made it may do that, and the owner of the document.
#[boxed]
pub async fn withdraw(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
) -> Result<ExceptionDetails> {
    let document = documents::get(tx, organization, slug).await?.document;
    let before = read::find(tx, organization, slug, number).await?;
    if !before.may_withdraw(&document, &author.actor) {
        return Err(Error::NotDecider(document.owner.into_iter().collect()).into());
    }
    let decision = before.decision.end(DecisionStep::Withdraw, None, author.actor.clone(), tx.at())?;
    let after = PolicyException { decision, ..before.clone() };
    let ended = replace(tx, organization, author, "exception.withdrawn", &before, after).await?;
    Ok(ExceptionDetails::of(ended, &document, tx.at()))
}

/// Ends an exception for a reason.
#[boxed]
pub async fn revoke(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    revocation: &Revocation,
) -> Result<ExceptionDetails> {
    let document = documents::get(tx, organization, slug).await?.document;
    let before = read::find(tx, organization, slug, number).await?;
    let reason = Some(revocation.reason.clone());
    let decision = before.decision.end(DecisionStep::Revoke, reason, author.actor.clone(), tx.at())?;
    let after = PolicyException { decision, ..before.clone() };
    let ended = replace(tx, organization, author, "exception.revoked", &before, after).await?;
    Ok(ExceptionDetails::of(ended, &document, tx.at()))
}

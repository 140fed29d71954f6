//! Asking for an exception to a document.

use db::Tx;
use domain::document::Day;
use domain::exception::{NewException, PolicyException};
use domain::{Author, Error, FaultCode, Faults, OrgId, ResourceKind};
use macros::boxed;

use super::read::{self, ExceptionDetails};
use super::subject;
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::ledger::{journal, record};
use crate::{Counter, documents, risks};

/// Asks for an exception to a published document.
#[boxed]
pub async fn ask(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    new: &NewException,
) -> Result<ExceptionDetails> {
    let document = documents::get(tx, organization, slug).await?;
    new.ask(0, &document, author.actor.clone(), tx.at())?;
    check(tx, organization, slug, new).await?;
    let number = Counter::Exception.next(tx, organization)?;
    let mut asked = new.ask(number, &document, author.actor.clone(), tx.at())?;
    let (kind, payload) = ("exception.requested", record::changes(None, &asked));
    let seq = journal::append(tx, organization, author, kind, subject(number), payload).await?;
    (asked.decision.seq, asked.decision.seq_from) = (seq, seq);
    record::insert(tx, organization, &asked).await?;
    Ok(ExceptionDetails::of(asked, &document.document, tx.at()))
}

/// The risk exists, and so does the exception whose place it is to take.
async fn check(tx: &mut Tx, organization: OrgId, slug: &str, new: &NewException) -> Result<()> {
    let mut faults = Faults::new();
    if let Some(risk) = new.risk
        && !risks::existing(tx, organization, View::now(), &[risk]).await?.contains(&risk)
    {
        faults.add("#/risk", FaultCode::UnknownRisk, "No risk has this id.");
    }
    if let Some(number) = new.replaces
        && !is_live(tx, organization, slug, number).await?
    {
        let detail = "must be an exception to this document that is accepted or stale";
        faults.add("#/replaces", FaultCode::Range, detail);
    }
    Ok(faults.or(())?)
}

async fn is_live(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<bool> {
    match read::find(tx, organization, slug, number).await {
        Ok(PolicyException { decision, .. }) => Ok(decision.state_on(&Day::of(tx.at())).is_live()),
        Err(error) if matches!(error.0, Error::NotFound(ResourceKind::Exception)) => Ok(false),
        Err(error) => Err(error),
    }
}

//! Asking for the acceptance of a risk.

use db::Tx;
use domain::acceptance::Acceptance;
use domain::accepting::NewAcceptance;
use domain::{Author, Error, ErrorCode, OrgId, RiskNumber};
use macros::boxed;

use super::read::AcceptanceDetails;
use super::write;
use crate::ledger::error::Result;
use crate::ledger::part;
use crate::ledger::view::View;
use crate::{risks, scales};

/// Asks for the acceptance of an open risk that is evaluated. It has one open request at most.
#[boxed]
pub async fn ask(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    risk: RiskNumber,
    new: &NewAcceptance,
) -> Result<AcceptanceDetails> {
    let risk = risks::get(tx, organization, risk, View::now()).await?;
    let scales = scales::known(tx, organization, View::now()).await?;
    let number = part::next_number::<Acceptance>(tx, organization, risk.number.number()).await?;
    let asked = new.ask((&risk, number), &scales, author.actor.clone(), tx.at())?;
    if risk.acceptance_request.is_some() {
        return Err(Error::Conflict(ErrorCode::AcceptanceRequested).into());
    }
    let asked = write::add(tx, organization, author, asked).await?;
    Ok(AcceptanceDetails::of(asked, risk.title, tx.at()))
}

//! Registering, changing, deleting and restoring risks.

use db::Tx;
use domain::risk::{NewRisk, Risk, RiskPatch};
use domain::{Author, ExpectedVersion, Faults, OrgId, RiskNumber};
use jiff::Timestamp;
use macros::boxed;

use super::{read, references, subject};
use crate::ledger::error::{Result, faults_of, if_found};
use crate::ledger::trash::{self, Mark, Marked};
use crate::ledger::view::{Deleted, View};
use crate::ledger::{journal, record};
use crate::{Counter, acceptances, organizations, people, performance, scales};

/// Registers a risk.
#[boxed]
pub async fn create(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewRisk) -> Result<Risk> {
    let scales = scales::known(tx, organization, View::now()).await?;
    let owner = new.check(people::person(tx, organization, new.owner).await?, scales.present())?;
    let number = RiskNumber(Counter::Risk.next(tx, organization)?);
    let new = new.open(number, owner, scales.present().number, tx.at());
    let mut risk = with_days(tx, organization, new).await?;
    references::require_free(tx, organization, &risk).await?;
    let payload = record::changes(None, &risk);
    risk.seq_from =
        journal::append(tx, organization, author, "risk.created", subject(number), payload).await?;
    record::insert(tx, organization, &risk).await?;
    Ok(risk.graded(&scales))
}

/// Changes a risk by a merge patch, if it has an `expected` version. A patch that changes nothing is not
/// journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    expected: &ExpectedVersion,
    patch: &RiskPatch,
) -> Result<Risk> {
    let before = read::get(tx, organization, number, View::now()).await?;
    expected.check(before.version)?;
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    let scales = scales::known(tx, organization, View::now()).await?;
    let Some(after) = patch.apply(&before, owner, &scales, tx.at())? else { return Ok(before) };
    let after = with_days(tx, organization, after).await?;
    if after.external_ref != before.external_ref {
        references::require_free(tx, organization, &after).await?;
    }
    let after = save(tx, organization, author, &before, after).await?;
    if before.target.is_some() == after.target.is_some() {
        return Ok(after.graded(&scales));
    }
    read::get(tx, organization, number, View::now()).await
}

/// Writes the changed state of a risk.
async fn save(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: &Risk,
    mut after: Risk,
) -> Result<Risk> {
    let payload = record::changes(Some(before), &after);
    after.seq_from =
        journal::append(tx, organization, author, "risk.updated", subject(after.number), payload).await?;
    record::keep_history(tx, organization, &after, after.seq_from).await?;
    record::replace(tx, organization, &after).await?;
    if before.target.is_some() != after.target.is_some() {
        performance::follow(tx, organization, &[after.number.number()]).await?;
    }
    if before.status != after.status {
        acceptances::follow(tx, organization, author, &[after.number.number()]).await?;
        return read::get(tx, organization, after.number, View::now()).await;
    }
    Ok(after)
}

/// The risk with the days that follow from its cadences.
async fn with_days(tx: &mut Tx, organization: OrgId, risk: Risk) -> Result<Risk> {
    if !risk.lacks_days() {
        return Ok(risk);
    }
    Ok(risk.with_days(&organizations::time_zone(tx, organization).await?))
}

/// Deletes a risk softly, if it has an `expected` version. One that is deleted already is not found.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    expected: &ExpectedVersion,
) -> Result<()> {
    let before = read::get(tx, organization, number, View::now()).await?;
    expected.check(before.version)?;
    mark(tx, organization, author, before, Mark::Deleted).await?;
    Ok(())
}

/// Restores a deleted risk, if it has an `expected` version. One that is not deleted is not found.
#[boxed]
pub async fn restore(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    expected: &ExpectedVersion,
) -> Result<Risk> {
    let view = View { deleted: Deleted::Only, ..View::now() };
    let before = read::get(tx, organization, number, view).await?;
    expected.check(before.version)?;
    mark(tx, organization, author, before, Mark::Restored).await
}

async fn mark(tx: &mut Tx, organization: OrgId, author: &Author, before: Risk, mark: Mark) -> Result<Risk> {
    let marked = Marked::from([(before.number.number(), before.deleted_date)]);
    let seq_from = trash::mark::<Risk>(tx, organization, author, &marked, mark).await?;
    performance::follow(tx, organization, &[before.number.number()]).await?;
    let (deleted_date, updated_date) = (mark.deleted_date(tx.at()), tx.at());
    let after = Risk { deleted_date, updated_date, version: before.version + 1, seq_from, ..before };
    if mark == Mark::Deleted {
        return Ok(after);
    }
    // The scale may have changed while it was deleted.
    acceptances::follow(tx, organization, author, &[after.number.number()]).await?;
    read::get(tx, organization, after.number, View::now()).await
}

/// What is wrong with a patch beside the record as it is at `now`; nothing if there is no such record. For a patch that
/// is refused anyway, so that all faults are reported at once.
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    number: RiskNumber,
    patch: &RiskPatch,
    now: Timestamp,
) -> Result<Faults> {
    let Some(before) = if_found(read::get(tx, organization, number, View::now()).await)? else {
        return Ok(Faults::new());
    };
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    let scales = scales::known(tx, organization, View::now()).await?;
    Ok(faults_of(patch.apply(&before, owner, &scales, now)))
}

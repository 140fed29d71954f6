//! Declaring and changing incidents.

use db::Tx;
use domain::incident::{Incident, IncidentPatch, NewIncident};
use domain::person::Person;
use domain::{Author, ExpectedVersion, Faults, IncidentNumber, OrgId, UserId};
use jiff::Timestamp;

use super::{read, subject};
use crate::error::{Error, Result};
use crate::view::View;
use crate::{Counter, journal, people, record};

/// Declares an incident.
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewIncident,
) -> Result<Incident> {
    let assignee = member(tx, organization, new.assigned_to).await?;
    let assignee = new.check(assignee, tx.at())?;
    let number = IncidentNumber(Counter::Incident.next(tx, organization)?);
    let mut incident = new.open(number, assignee, author.actor.clone(), tx.at());
    let payload = record::changes(None, &incident);
    incident.seq_from =
        journal::append(tx, organization, author, "incident.created", subject(number), payload).await?;
    record::insert(tx, organization, &incident).await?;
    Ok(incident)
}

/// Changes an incident by a merge patch, if it has an `expected` version. A patch that changes nothing
/// is not journaled.
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    expected: &ExpectedVersion,
    patch: &IncidentPatch,
) -> Result<Incident> {
    let before = read::get(tx, organization, number, View::now()).await?;
    expected.check(before.version)?;
    let assignee = member(tx, organization, patch.assigned_to.flatten()).await?;
    let Some(mut after) = patch.apply(&before, assignee, tx.at())? else { return Ok(before) };
    let payload = record::changes(Some(&before), &after);
    after.seq_from =
        journal::append(tx, organization, author, "incident.updated", subject(number), payload).await?;
    record::keep_history(tx, organization, &after, after.seq_from).await?;
    record::replace(tx, organization, &after).await?;
    Ok(after)
}

/// What is wrong with a patch beside the record as it is at `now`; nothing if there is no such record. For a patch that
/// is refused anyway, so that all faults are reported at once.
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    number: IncidentNumber,
    patch: &IncidentPatch,
    now: Timestamp,
) -> Result<Faults> {
    let before = match read::get(tx, organization, number, View::now()).await {
        Err(Error(domain::Error::NotFound(_))) => return Ok(Faults::new()),
        before => before?,
    };
    let assignee = member(tx, organization, patch.assigned_to.flatten()).await?;
    match patch.apply(&before, assignee, now) {
        Err(domain::Error::Invalid(faults)) => Ok(faults),
        _ => Ok(Faults::new()),
    }
}

async fn member(tx: &mut Tx, organization: OrgId, id: Option<UserId>) -> Result<Option<Person>> {
    match id {
        Some(id) => Ok(people::get(tx, organization, id).await?.map(|member| member.person)),
        None => Ok(None),
    }
}

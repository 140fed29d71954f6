//! Declaring and changing incidents.

use db::{Param, Tx};
use domain::incident::{Incident, IncidentPatch, NewIncident};
use domain::person::Person;
use domain::{Author, ExpectedVersion, Faults, IncidentNumber, OrgId, UserId};
use jiff::Timestamp;

use super::fields::{changes, subject};
use super::read;
use super::row::STORED;
use crate::Counter;
use crate::error::{Error, Result};
use crate::journal;
use crate::people;
use crate::view::View;

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
    let payload = changes(None, &incident);
    incident.seq_from =
        journal::append(tx, organization, author, "incident.created", subject(number), payload).await?;
    insert(tx, organization, &incident).await?;
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
    let payload = changes(Some(&before), &after);
    after.seq_from =
        journal::append(tx, organization, author, "incident.updated", subject(number), payload).await?;
    tx.send(&keep_history_sql(), &[&organization.uuid(), &number.number(), &after.seq_from]).await?;
    replace(tx, organization, &after).await?;
    Ok(after)
}

/// What is wrong with a patch beside the record as it is at `now`; nothing if there is no such record. For a patch
/// that is refused anyway, so that every fault is told at once.
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

async fn insert(tx: &mut Tx, organization: OrgId, incident: &Incident) -> Result<()> {
    let sql =
        "INSERT INTO incident (organization, number, title, description, status, severity_reasoning, source,
            assigned_to, opened_by_kind, opened_by_id, occurred_date, detected_date, responded_date,
            contained_date, created_date, updated_date, deleted_date, version, seq_from)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, NULL, $17, $18)";
    let assigned_to = incident.assigned_to.as_ref().map(|person| person.id.uuid());
    let params: [&dyn Param; 18] = [
        &organization.uuid(),
        &incident.number.number(),
        &incident.title,
        &incident.description,
        &incident.status.as_str(),
        &incident.severity_reasoning,
        &incident.source,
        &assigned_to,
        &incident.opened_by.kind.as_str(),
        &incident.opened_by.id,
        &incident.occurred_date,
        &incident.detected_date,
        &incident.responded_date,
        &incident.contained_date,
        &incident.created_date,
        &incident.updated_date,
        &incident.version,
        &incident.seq_from,
    ];
    tx.send(sql, &params).await?;
    Ok(())
}

/// Copies the stored row of the incident `$2` to its history, where it ends with the entry `$3`.
pub(super) fn keep_history_sql() -> String {
    format!(
        "INSERT INTO incident_history ({STORED}, seq_to)
         SELECT {STORED}, CAST($3 AS BIGINT) FROM incident WHERE organization = $1 AND number = $2"
    )
}

/// Overwrites what a patch can change.
async fn replace(tx: &mut Tx, organization: OrgId, after: &Incident) -> Result<()> {
    let sql = "UPDATE incident SET title = $3, description = $4, severity_reasoning = $5, source = $6,
            assigned_to = $7, occurred_date = $8, detected_date = $9, responded_date = $10,
            contained_date = $11, updated_date = $12, version = $13, seq_from = $14
         WHERE organization = $1 AND number = $2";
    let assigned_to = after.assigned_to.as_ref().map(|person| person.id.uuid());
    let params: [&dyn Param; 14] = [
        &organization.uuid(),
        &after.number.number(),
        &after.title,
        &after.description,
        &after.severity_reasoning,
        &after.source,
        &assigned_to,
        &after.occurred_date,
        &after.detected_date,
        &after.responded_date,
        &after.contained_date,
        &after.updated_date,
        &after.version,
        &after.seq_from,
    ];
    tx.send(sql, &params).await?;
    Ok(())
}

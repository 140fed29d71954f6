//! What a change of an incident depends on.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::incident::{
    self, DuplicateTarget, Facts, Incident, IncidentPatch, Status, Step, Surroundings, TransitionOption,
    Viewer,
};
use domain::{Author, Error, IncidentNumber, OrgId, Scopes};
use jiff::Timestamp;

use super::read;
use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::people;
use crate::record::stored_word;
use crate::view::View;

/// The facts for this change of an incident.
pub(super) async fn facts(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: &Incident,
    patch: &IncidentPatch,
) -> Result<Facts> {
    let members = match &patch.readers {
        Some(readers) if !readers.is_empty() => {
            people::members_among(tx, organization, readers).await?.into_iter().collect()
        }
        _ => Default::default(),
    };
    let duplicate = match patch.duplicate_of {
        Some(original) => Some(duplicate(tx, organization, author, incident.number, original).await?),
        None => None,
    };
    let around = match patch.status {
        Some(Status::Closed) => surroundings(tx, organization, incident).await?,
        _ => Surroundings::default(),
    };
    Ok(Facts {
        assignee: people::person(tx, organization, patch.assigned_to.flatten()).await?,
        members,
        duplicate,
        around,
        author: author.actor.clone(),
        scopes: author.scopes(),
    })
}

/// What closing an incident depends on.
pub async fn surroundings(tx: &mut Tx, organization: OrgId, incident: &Incident) -> Result<Surroundings> {
    let sql = "SELECT (SELECT count(*) FROM incident_task
                       WHERE organization = $1 AND incident = $2 AND mandatory AND deleted_date IS NULL
                         AND status IN ('open', 'in_progress')),
                      (SELECT MAX(published_date) FROM incident_review
                       WHERE organization = $1 AND incident = $2)";
    let params: [&dyn Param; 2] = [&organization.uuid(), &incident.number.number()];
    let (open_mandatory_tasks, published): (i64, Option<Timestamp>) = tx.query_one(sql, &params).await?;
    let has_review = match published {
        None => false,
        Some(published) => {
            let reopened = last_reopening(tx, organization, incident).await?;
            reopened.is_none_or(|reopened| published > reopened)
        }
    };
    Ok(Surroundings { open_mandatory_tasks, has_review })
}

/// When the last reopening of an incident was recorded, whatever date it was given.
async fn last_reopening(tx: &mut Tx, organization: OrgId, incident: &Incident) -> Result<Option<Timestamp>> {
    if incident.reopen_count == 0 {
        return Ok(None);
    }
    let sql = format!(
        "SELECT version, status, updated_date FROM incident_history
         WHERE organization = $1 AND number = $3 AND version IN (SELECT wanted.number FROM {})",
        wanted_numbers(tx.engine())
    );
    let versions = numbers_parameter(incident.spells.iter().flat_map(|version| [version - 1, *version]));
    let params: [&dyn Param; 3] = [&organization.uuid(), &versions, &incident.number.number()];
    let earlier: Vec<(i64, String, Timestamp)> = tx.query(&sql, &params).await?;
    let mut states: HashMap<i64, (Status, Timestamp)> = HashMap::new();
    for (version, status, at) in earlier {
        states.insert(version, (stored_word(&status)?, at));
    }
    states.insert(incident.version, (incident.status, incident.updated_date));
    let reopening = |version: &i64| {
        let (before, (after, at)) = (states.get(&(version - 1))?, states.get(version)?);
        Step::between(before.0, *after).filter(|step| step.is_reopening()).map(|_| *at)
    };
    Ok(incident.spells.iter().rev().find_map(reopening))
}

/// What may become of an incident next, for a caller with these scopes.
pub async fn options(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    number: IncidentNumber,
    scopes: Scopes,
) -> Result<Vec<TransitionOption>> {
    let incident = read::get(tx, organization, viewer, number, View::now()).await?;
    let around = surroundings(tx, organization, &incident).await?;
    Ok(incident::options(&incident, &around, scopes))
}

/// Whether `original` can stand for the incident `number`. Deleted duplicates count, because they can be restored.
async fn duplicate(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    original: IncidentNumber,
) -> Result<DuplicateTarget> {
    match read::get(tx, organization, &Viewer::of(author), original, View::now()).await {
        Ok(_) => {}
        Err(crate::Error(Error::NotFound(_))) => return Ok(DuplicateTarget::Unknown),
        Err(error) => return Err(error),
    }
    let sql = "WITH RECURSIVE chain (number) AS (
                   SELECT CAST($2 AS BIGINT)
                   UNION
                   SELECT incident.duplicate_of FROM chain
                   JOIN incident ON incident.organization = $1 AND incident.number = chain.number
                   WHERE incident.duplicate_of IS NOT NULL
               )
               SELECT count(*) FROM chain WHERE number = $3";
    let params: [&dyn Param; 3] = [&organization.uuid(), &original.number(), &number.number()];
    let (count,): (i64,) = tx.query_one(sql, &params).await?;
    Ok(if count > 0 { DuplicateTarget::Cycle } else { DuplicateTarget::Valid })
}

//! What a change of an incident depends on.

use db::{Param, Tx};
use domain::incident::{
    self, DuplicateTarget, Facts, Incident, IncidentPatch, Status, Surroundings, TransitionOption, Viewer,
};
use domain::{Author, Error, IncidentNumber, OrgId, Scopes};

use super::read;
use crate::error::Result;
use crate::view::View;
use crate::{people, tasks};

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
    let open_mandatory_tasks = tasks::open_mandatory(tx, organization, incident.number).await?;
    Ok(Surroundings { open_mandatory_tasks, ..Surroundings::default() })
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
    let viewer = Viewer::new(&author.actor, author.scopes());
    match read::get(tx, organization, &viewer, original, View::now()).await {
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

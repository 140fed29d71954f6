//! What a change of an incident depends on.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::{Param, Tx};
use domain::incident::{
    self, DuplicateTarget, Facts, Incident, IncidentPatch, Status, Step, Surroundings, TransitionOption,
    Viewer,
};
use domain::person::Person;
use domain::{Actor, Author, Error, IncidentNumber, OrgId, Scopes, UserId};
use jiff::Timestamp;
use macros::boxed;

use super::read;
use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::people;
use crate::record::stored_word;
use crate::view::View;

/// What a change depends on, whichever incident it changes.
pub(crate) struct CommonFacts {
    assignee: Option<Person>,
    members: BTreeSet<UserId>,
    /// The incident that stands for the others, with all that stand for it; none if the author does not see it.
    originals: Option<HashSet<i64>>,
    author: Actor,
    scopes: Scopes,
}

impl CommonFacts {
    /// The facts for this change.
    pub(super) async fn of(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        patch: &IncidentPatch,
    ) -> Result<Self> {
        let members = match &patch.readers {
            Some(readers) if !readers.is_empty() => {
                people::members_among(tx, organization, readers).await?.into_iter().collect()
            }
            _ => BTreeSet::new(),
        };
        let originals = match patch.duplicate_of {
            Some(original) => originals(tx, organization, author, original).await?,
            None => None,
        };
        let assignee = people::person(tx, organization, patch.assigned_to.flatten()).await?;
        Ok(Self { assignee, members, originals, author: author.actor.clone(), scopes: author.scopes() })
    }

    /// The facts for this change of one incident.
    pub(super) fn for_one(
        &self,
        number: IncidentNumber,
        patch: &IncidentPatch,
        around: Surroundings,
    ) -> Facts {
        let target = match &self.originals {
            None => DuplicateTarget::Unknown,
            Some(originals) if originals.contains(&number.number()) => DuplicateTarget::Cycle,
            Some(_) => DuplicateTarget::Valid,
        };
        Facts {
            assignee: self.assignee.clone(),
            members: self.members.clone(),
            duplicate: patch.duplicate_of.map(|_| target),
            around,
            author: self.author.clone(),
            scopes: self.scopes,
        }
    }
}

/// The facts for this change of an incident.
pub(super) async fn facts(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: &Incident,
    patch: &IncidentPatch,
) -> Result<Facts> {
    let common = CommonFacts::of(tx, organization, author, patch).await?;
    let around = match patch.status {
        Some(Status::Closed) => surroundings(tx, organization, incident).await?,
        _ => Surroundings::default(),
    };
    Ok(common.for_one(incident.number, patch, around))
}

/// What closing an incident depends on.
#[boxed]
pub async fn surroundings(tx: &mut Tx, organization: OrgId, incident: &Incident) -> Result<Surroundings> {
    let mut all = surroundings_of_all(tx, organization, std::slice::from_ref(incident)).await?;
    Ok(all.remove(&incident.number).unwrap_or_default())
}

/// What closing each of these incidents depends on.
pub(super) async fn surroundings_of_all(
    tx: &mut Tx,
    organization: OrgId,
    incidents: &[Incident],
) -> Result<HashMap<IncidentNumber, Surroundings>> {
    let sql = format!(
        "SELECT wanted.number,
                (SELECT count(*) FROM incident_task
                 WHERE organization = $1 AND incident = wanted.number AND mandatory AND deleted_date IS NULL
                   AND status IN ('open', 'in_progress')),
                (SELECT MAX(published_date) FROM incident_review
                 WHERE organization = $1 AND incident = wanted.number)
         FROM {}",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(incidents.iter().map(|incident| incident.number.number()));
    let rows: Vec<(i64, i64, Option<Timestamp>)> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    let found: HashMap<i64, (i64, Option<Timestamp>)> =
        rows.into_iter().map(|(number, tasks, published)| (number, (tasks, published))).collect();
    let mut all = HashMap::new();
    for incident in incidents {
        let (open_mandatory_tasks, published) =
            found.get(&incident.number.number()).copied().unwrap_or_default();
        let has_review = match published {
            None => false,
            // Few incidents were reviewed and reopened, so each of these has a statement of its own.
            Some(published) => {
                let reopened = last_reopening(tx, organization, incident).await?;
                reopened.is_none_or(|reopened| published > reopened)
            }
        };
        all.insert(incident.number, Surroundings { open_mandatory_tasks, has_review });
    }
    Ok(all)
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
#[boxed]
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

/// The incident `original`, which the author sees, and all that stand for it in turn: none of them can be its duplicate.
/// Deleted ones count, because they can be restored. None if the author does not see it.
async fn originals(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    original: IncidentNumber,
) -> Result<Option<HashSet<i64>>> {
    match read::get(tx, organization, &Viewer::of(author), original, View::now()).await {
        Ok(_) => {}
        Err(crate::Error(Error::NotFound(_))) => return Ok(None),
        Err(error) => return Err(error),
    }
    let sql = "WITH RECURSIVE chain (number) AS (
                   SELECT CAST($2 AS BIGINT)
                   UNION
                   SELECT incident.duplicate_of FROM chain
                   JOIN incident ON incident.organization = $1 AND incident.number = chain.number
                   WHERE incident.duplicate_of IS NOT NULL
               )
               SELECT number FROM chain";
    let rows: Vec<(i64,)> = tx.query(sql, &[&organization.uuid(), &original.number()]).await?;
    Ok(Some(rows.into_iter().map(|(number,)| number).collect()))
}

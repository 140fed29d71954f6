//! What a change of an incident depends on.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::Tx;
use domain::incident::{
    self, DuplicateTarget, Facts, Incident, IncidentPatch, Surroundings, TransitionOption, Viewer,
};
use domain::person::Person;
use domain::{Actor, Author, Error, IncidentNumber, OrgId, Scopes, UserId};
use jiff::Timestamp;
use macros::boxed;

use super::spells::last_reopening;
use super::{originals, read};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::members;
use crate::ledger::view::View;
use crate::people;

/// What a change depends on, whichever incident it changes.
pub(crate) struct CommonFacts {
    assignee: Option<Person>,
    members: BTreeSet<UserId>,
    original: Original,
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
                members::among(tx, organization, readers).await?.into_iter().collect()
            }
            _ => BTreeSet::new(),
        };
        let original = match patch.duplicate_of {
            Some(number) => original(tx, organization, author, number).await?,
            None => Original::Unknown,
        };
        let assignee = people::person(tx, organization, patch.assigned_to.value().copied()).await?;
        Ok(Self { assignee, members, original, author: author.actor.clone(), scopes: author.scopes() })
    }

    /// The facts for this change of one incident.
    pub(super) fn for_one(
        &self,
        number: IncidentNumber,
        patch: &IncidentPatch,
        around: Surroundings,
    ) -> Facts {
        let target = match &self.original {
            Original::Unknown => DuplicateTarget::Unknown,
            Original::Hidden => DuplicateTarget::Hidden,
            Original::Seen(chain) if chain.contains(&number.number()) => DuplicateTarget::Cycle,
            Original::Seen(_) => DuplicateTarget::Valid,
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
    let around = match patch.depends_on_surroundings(incident.status) {
        true => surroundings(tx, organization, incident).await?,
        false => Surroundings::default(),
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
pub(crate) async fn surroundings_of_all(
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

/// What `duplicate_of` names, as far as the author may know.
enum Original {
    /// Nothing that there is, or that the author would see if it were restored.
    Unknown,
    /// An incident that the author does not see.
    Hidden,
    /// An incident, with all that stand for it in turn: none of them can be its duplicate.
    Seen(HashSet<i64>),
}

/// Deleted ones count among those that stand for it, because they can be restored.
async fn original(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
) -> Result<Original> {
    let viewer = Viewer::of(author);
    match read::get(tx, organization, &viewer, number, View::now()).await {
        Ok(_) => {
            let chain = originals::chains(tx, organization, [number.number()]).await?;
            Ok(Original::Seen(chain.into_keys().collect()))
        }
        Err(crate::Error(Error::NotFound(_))) => {
            let unseen = read::unseen(tx, organization, &viewer, &[number.number()]).await?;
            Ok(if unseen.is_empty() { Original::Unknown } else { Original::Hidden })
        }
        Err(error) => Err(error),
    }
}

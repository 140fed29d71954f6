//! Declaring and changing incidents.

use db::Tx;
use domain::incident::{Incident, IncidentPatch, NewIncident, Viewer};
use domain::{Author, ExpectedVersion, Faults, IncidentNumber, OrgId};
use jiff::Timestamp;

use super::facts::facts;
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
    let assignee = people::person(tx, organization, new.assigned_to).await?;
    let assignee = new.check(assignee, tx.at())?;
    let number = IncidentNumber(Counter::Incident.next(tx, organization)?);
    let mut incident = new.open(number, assignee, author.actor.clone(), tx.at());
    let payload = record::changes(None, &incident);
    incident.seq_from =
        journal::append(tx, organization, author, "incident.created", subject(number), payload).await?;
    record::insert(tx, organization, &incident).await?;
    Ok(incident)
}

/// Changes an incident that the author sees, if it has an `expected` version. A patch that changes nothing is not
/// journaled.
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    expected: &ExpectedVersion,
    patch: &IncidentPatch,
) -> Result<Incident> {
    let before = read::get(tx, organization, &viewer(author), number, View::now()).await?;
    expected.check(before.version)?;
    let facts = facts(tx, organization, author, &before, patch).await?;
    let Some(mut after) = patch.apply(&before, &facts, tx.at())? else { return Ok(before) };
    let (kind, payload) = (change_kind(&before, &after), record::changes(Some(&before), &after));
    after.seq_from = journal::append(tx, organization, author, kind, subject(number), payload).await?;
    record::keep_history(tx, organization, &after, after.seq_from).await?;
    record::replace(tx, organization, &after).await?;
    Ok(after)
}

/// The kind of the entry for a change from one state to the other.
pub(crate) fn change_kind(before: &Incident, after: &Incident) -> &'static str {
    if before.legal_hold != after.legal_hold {
        "incident.legal_hold_changed"
    } else if before.status != after.status {
        "incident.status_changed"
    } else {
        "incident.updated"
    }
}

/// What is wrong with a patch beside the record as it is at `now`; nothing if there is no such record. For a patch that
/// is refused anyway, so that all faults are reported at once.
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    patch: &IncidentPatch,
    now: Timestamp,
) -> Result<Faults> {
    let before = match read::get(tx, organization, &viewer(author), number, View::now()).await {
        Err(Error(domain::Error::NotFound(_))) => return Ok(Faults::new()),
        before => before?,
    };
    let facts = facts(tx, organization, author, &before, patch).await?;
    match patch.apply(&before, &facts, now) {
        Err(domain::Error::Invalid(faults)) => Ok(faults),
        _ => Ok(Faults::new()),
    }
}

/// The incidents that the author of a change sees.
pub(crate) fn viewer(author: &Author) -> Viewer {
    Viewer::new(&author.actor, author.scopes())
}

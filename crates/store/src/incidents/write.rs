//! Declaring and changing incidents.

use db::Tx;
use domain::incident::{Facts, Incident, IncidentPatch, NewIncident, Viewer};
use domain::{Author, ExpectedVersion, Faults, IncidentNumber, OrgId};
use jiff::Timestamp;
use macros::boxed;

use super::facts::facts;
use super::tag_links::TAGS;
use super::{read, references, subject};
use crate::ledger::error::{Result, faults_of, if_found};
use crate::ledger::view::View;
use crate::ledger::{journal, record};
use crate::tags::{self, Named};
use crate::{Counter, people};

/// Declares an incident.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewIncident,
) -> Result<Incident> {
    new.check_author(author)?;
    let assignee = people::person(tx, organization, new.assigned_to).await?;
    let tags = tags::find(tx, organization, &new.tags).await?;
    let assignee = new.check(assignee, tx.at(), tags.faults(author))?;
    let number = IncidentNumber(Counter::Incident.next(tx, organization)?);
    let incident = new.open(number, assignee, author.actor.clone(), tx.at());
    insert(tx, organization, author, incident, tags).await
}

/// Journals and inserts an incident that is declared, with these tags.
pub(super) async fn insert(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    mut incident: Incident,
    tags: Named<'_>,
) -> Result<Incident> {
    let tags = tags.or_made(tx, organization, author).await?;
    let (kind, payload) = ("incident.created", record::changes(None, &incident));
    incident.seq_from =
        journal::append(tx, organization, author, kind, subject(incident.number), payload).await?;
    record::insert(tx, organization, &incident).await?;
    TAGS.add_all(tx, organization, author, &incident.number.number(), &tags).await?;
    Ok(incident)
}

/// Changes an incident that the author sees, if it has an `expected` version. A patch that changes nothing is not
/// journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    expected: &ExpectedVersion,
    patch: &IncidentPatch,
) -> Result<Incident> {
    let before = read::get(tx, organization, &Viewer::of(author), number, View::now()).await?;
    expected.check(before.version)?;
    change(tx, organization, author, before, patch).await
}

/// Changes an incident that was read in this write.
pub(super) async fn change(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: Incident,
    patch: &IncidentPatch,
) -> Result<Incident> {
    let facts = facts(tx, organization, author, &before, patch).await?;
    change_with(tx, organization, author, before, patch, &facts).await
}

/// Changes an incident that was read in this write, as these facts allow.
pub(super) async fn change_with(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: Incident,
    patch: &IncidentPatch,
    facts: &Facts,
) -> Result<Incident> {
    let number = before.number;
    let Some(mut after) = patch.apply(&before, facts, tx.at())? else { return Ok(before) };
    if after.external_ref != before.external_ref {
        references::require_free(tx, organization, &after).await?;
    }
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
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    patch: &IncidentPatch,
    now: Timestamp,
) -> Result<Faults> {
    let Some(before) = if_found(read::get(tx, organization, &Viewer::of(author), number, View::now()).await)?
    else {
        return Ok(Faults::new());
    };
    let facts = facts(tx, organization, author, &before, patch).await?;
    Ok(faults_of(patch.apply(&before, &facts, now)))
}

//! Reading notes, as they are and as they were, by those who see the incident.

use db::Tx;
use domain::incident::{Incident, Viewer};
use domain::note::Note;
use domain::{Error, IncidentNumber, OrgId, ResourceKind};
use macros::boxed;

use super::mentions::{WithMentions, people_of};
use super::{IncidentNote, NoteId};
use crate::incidents;
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{self, Stored};
use crate::ledger::view::{Deleted, View};

/// One note.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    id: NoteId,
    view: View,
) -> Result<WithMentions<Note>> {
    let (incident, value) = find(tx, organization, viewer, id, view).await?;
    let mentions = people_of(tx, organization, value.mentions.iter().copied()).await?;
    Ok(WithMentions { value, incident, mentions })
}

/// The incident that notes are read of. Whether deleted notes are read does not matter: those of a deleted incident are
/// absent.
pub(super) async fn incident(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    number: IncidentNumber,
    view: View,
) -> Result<Incident> {
    let view = View { deleted: Deleted::Without, ..view };
    incidents::get(tx, organization, viewer, number, view).await
}

/// A note and its incident.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    id: NoteId,
    view: View,
) -> Result<(Incident, Note)> {
    let incident = incident(tx, organization, viewer, id.incident, view).await?;
    let found: Option<IncidentNote> = match view.as_of_seq {
        None => {
            let key = [id.number.into(), id.incident.number().into()];
            let found: Option<IncidentNote> = record::find(tx, organization, &key).await?;
            found.filter(|it| view.deleted.sees(it.note.deleted_date))
        }
        Some(_) => {
            let by_number = Filter::is("number", id.number.into());
            let found = of_incident(organization, id.incident, view).filter(by_number).one(tx).await?;
            found.map(|Stored(it)| it)
        }
    };
    let found = found.ok_or(Error::NotFound(ResourceKind::Note))?;
    Ok((incident, found.note))
}

/// The notes about an incident.
pub(super) fn of_incident<'q>(
    organization: OrgId,
    incident: IncidentNumber,
    view: View,
) -> Select<'q, IncidentNote> {
    Select::of(organization, view).filter(Filter::is("incident", incident.number().into()))
}

//! Reading notes, as they are and as they were, by those who see the incident.

use db::Tx;
use domain::incident::{Incident, Viewer};
use domain::{Error, IncidentNumber, OrgId};

use super::{NoteId, NoteKind};
use crate::error::Result;
use crate::incidents;
use crate::list::{Filter, Select};
use crate::record::{self, Stored};
use crate::view::{Deleted, View};

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
pub(super) async fn get<N: NoteKind>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    id: NoteId,
    view: View,
) -> Result<(Incident, N)> {
    let incident = incident(tx, organization, viewer, id.incident, view).await?;
    let found = match view.as_of_seq {
        None => {
            let key = [id.incident.number().into(), id.number.into()];
            let found: Option<N> = record::find(tx, organization, &key).await?;
            found.filter(|it| view.deleted.sees(it.note().deleted_date))
        }
        Some(_) => {
            let by_number = Filter::is("number", id.number.into());
            let found = of_incident::<N>(organization, id.incident, view).filter(by_number).one(tx).await?;
            found.map(|Stored(note)| note)
        }
    };
    Ok((incident, found.ok_or(Error::NotFound(N::NOUN))?))
}

/// The notes of an incident.
pub(super) fn of_incident<'q, N: NoteKind>(
    organization: OrgId,
    incident: IncidentNumber,
    view: View,
) -> Select<'q, N> {
    Select::of(organization, view).filter(Filter::is("incident", incident.number().into()))
}

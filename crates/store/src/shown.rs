//! Whether a caller sees what a kept answer shows: by the reads that GET uses, so that there is one rule.

use db::Tx;
use domain::incident::{Reference, Viewer};
use domain::saved_view::ViewReader;
use domain::task::TaskOf;
use domain::{
    Author, Error, IncidentNumber, InvitationId, OrgId, ResourceKind, RiskNumber, SavedViewId, UserId,
};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::notes::NoteId;
use crate::{incidents, invitations, notes, people, risks, saved_views, tasks};

/// The record that an answer shows, of the kinds that can become absent for its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// An incident, or what belongs to it and is never deleted alone.
    Incident(IncidentNumber),
    /// The incident of an external system's reference.
    Reported(Reference),
    /// A task of an incident or a risk.
    Task(TaskOf, i64),
    /// A note about an incident.
    Note(NoteId),
    /// A risk, or what belongs to it.
    Risk(RiskNumber),
    /// A saved view.
    SavedView(SavedViewId),
    /// A member.
    User(UserId),
    /// An invitation.
    Invitation(InvitationId),
}

impl Shown {
    /// The incident, if it is known by its number.
    pub fn incident(&self) -> Option<IncidentNumber> {
        match self {
            Self::Incident(number) => Some(*number),
            Self::Task(of, _) => of.incident(),
            Self::Note(id) => Some(id.incident),
            Self::Reported(_) | Self::Risk(_) | Self::SavedView(_) | Self::User(_) | Self::Invitation(_) => {
                None
            }
        }
    }
}

/// Refuses an answer whose record is absent for the author now, just as a read of the record does, and one that names an
/// incident which the author does not see now.
#[boxed]
pub async fn require_seen(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    shown: Option<&Shown>,
    named: &[IncidentNumber],
) -> Result<()> {
    let viewer = Viewer::of(author);
    if let Some(shown) = shown {
        read(tx, organization, author, &viewer, shown).await?;
    }
    let own = shown.and_then(Shown::incident);
    let others: Vec<i64> =
        named.iter().filter(|number| Some(**number) != own).map(|number| number.number()).collect();
    if others.is_empty() || incidents::unseen(tx, organization, &viewer, &others).await?.is_empty() {
        return Ok(());
    }
    Err(Error::ResponseNotKept.into())
}

async fn read(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    viewer: &Viewer,
    shown: &Shown,
) -> Result<()> {
    let now = View::now();
    match shown {
        Shown::Incident(number) => incidents::get(tx, organization, viewer, *number, now).await.map(drop),
        Shown::Reported(reference) => {
            incidents::get_by_reference(tx, organization, viewer, reference).await.map(drop)
        }
        Shown::Task(of, number) => {
            tasks::get(tx, organization, viewer, (*of, *number), now.deleted).await.map(drop)
        }
        Shown::Note(id) => notes::get(tx, organization, viewer, *id, now).await.map(drop),
        Shown::Risk(number) => risks::get_without_tags(tx, organization, *number, now).await.map(drop),
        Shown::SavedView(id) => {
            saved_views::get(tx, organization, &ViewReader::of(author), *id).await.map(drop)
        }
        Shown::User(id) => {
            let member = people::get(tx, organization, *id).await?;
            Ok(member.map(drop).ok_or(Error::NotFound(ResourceKind::User))?)
        }
        Shown::Invitation(id) => invitations::get(tx, organization, *id).await.map(drop),
    }
}

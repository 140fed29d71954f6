//! Incidents by the references of external systems.

use std::borrow::Cow;

use db::Tx;
use domain::incident::{Category, Incident, Message, NewIncident, Reference, Viewer};
use domain::tag::TagName;
use domain::{Author, Error, ExpectedVersion, IncidentNumber, OrgId, ResourceKind, UserId};
use macros::boxed;

use super::facts::facts;
use super::references::find;
use super::reports::{self, Kept};
use super::tag_links::TAGS;
use super::write;
use crate::ledger::error::Result;
use crate::{Counter, people, tags};

/// What a message of an external system did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reported {
    /// It declared an incident.
    Declared(Incident, LeftOut),
    /// It changed the incident, as far as there was something to change.
    Merged(Incident, LeftOut),
    /// The incident is closed or dismissed, and the message stands in its timeline or was counted.
    NotOpen(Incident, Kept),
}

/// What a message names and there is not. That is no reason to lose an alert: nobody may be there to correct it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The assignee, if no member has this id.
    pub assignee: Option<UserId>,
    /// The names of tags, if the sender may not make any.
    pub tags: Vec<TagName>,
}

impl Reported {
    /// The incident that the message is about.
    pub fn incident(&self) -> &Incident {
        match self {
            Self::Declared(incident, _) | Self::Merged(incident, _) | Self::NotOpen(incident, _) => incident,
        }
    }
}

/// The incident with this reference, if the caller sees it.
#[boxed]
pub async fn get_by_reference(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    reference: &Reference,
) -> Result<Incident> {
    let found = find(tx, organization, reference).await?.filter(|incident| viewer.sees_incident(incident));
    Ok(found.ok_or(Error::NotFound(ResourceKind::Incident))?)
}

/// Declares the incident of a reference, or changes it as the message says if it has an `expected` version. What others
/// have changed is kept unless the message overwrites. One that says nothing new is not journaled.
#[boxed]
pub async fn report(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    reference: &Reference,
    message: &Message,
    overwrite: bool,
    expected: &ExpectedVersion,
) -> Result<Reported> {
    let Some(before) = find(tx, organization, reference).await? else {
        expected.check_without_version()?;
        return declare(tx, organization, author, reference, message).await;
    };
    if !Viewer::of(author).sees_incident(&before) {
        return Err(Error::NotFound(ResourceKind::Incident).into());
    }
    expected.check(before.version)?;
    if before.status.category() == Category::Closed {
        let kept = reports::keep(tx, organization, author, &before, message).await?;
        return Ok(Reported::NotOpen(before, kept));
    }
    let (mut message, mut patch) = (Cow::Borrowed(message), message.patch(&before, overwrite));
    let facts = facts(tx, organization, author, &before, &patch).await?;
    let assignee = patch.assigned_to.value().copied().filter(|_| facts.assignee.is_none());
    if assignee.is_some() {
        message = Cow::Owned(without_assignee(&message));
        patch = message.patch(&before, overwrite);
    }
    let number = before.number.number();
    let incident = write::change_with(tx, organization, author, before, &patch, &facts).await?;
    let tags = tags::find(tx, organization, &message.0.tags).await?;
    let left_out = LeftOut { assignee, tags: tags.unknown(author) };
    let tags = tags.or_made(tx, organization, author).await?;
    if !tags.is_empty() {
        TAGS.add_new(tx, organization, author, (&number, &tags, overwrite)).await?;
    }
    Ok(Reported::Merged(incident, left_out))
}

fn without_assignee(message: &Message) -> Message {
    Message(NewIncident { assigned_to: None, ..message.0.clone() })
}

async fn declare(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    reference: &Reference,
    message: &Message,
) -> Result<Reported> {
    let id = message.0.assigned_to;
    let assignee = people::person(tx, organization, id).await?;
    let unknown = id.filter(|_| assignee.is_none());
    let message = unknown.map_or(Cow::Borrowed(message), |_| Cow::Owned(without_assignee(message)));
    let tags = tags::find(tx, organization, &message.0.tags).await?;
    let left_out = LeftOut { assignee: unknown, tags: tags.unknown(author) };
    let assignee = message.check(assignee, &author.actor, tx.at())?;
    let number = IncidentNumber(Counter::Incident.next(tx, organization)?);
    let incident = message.declare(reference, number, assignee, author.actor.clone(), tx.at());
    let incident = write::insert(tx, organization, author, incident, tags).await?;
    Ok(Reported::Declared(incident, left_out))
}

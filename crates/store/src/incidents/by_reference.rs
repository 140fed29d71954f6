//! Incidents by the references of external systems.

use std::collections::HashMap;

use db::{FromRow, Param, Row, Tx};
use domain::incident::{Category, Incident, Message, Reference, Viewer};
use domain::{Author, Error, ExpectedVersion, IncidentNumber, Line, OrgId, ResourceKind};
use macros::boxed;

use super::reports::{self, Kept};
use super::tags::TAGS;
use super::write;
use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::list::{Filter, Select};
use crate::record::Stored;
use crate::view::View;
use crate::{Counter, people, tags};

/// What a message of an external system did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reported {
    /// It declared an incident.
    Declared(Incident),
    /// It changed the incident, as far as there was something to change.
    Merged(Incident),
    /// The incident is closed or dismissed, and the message stands in its timeline or was counted.
    NotOpen(Incident, Kept),
}

impl Reported {
    /// The incident that the message is about.
    pub fn incident(&self) -> &Incident {
        match self {
            Self::Declared(incident) | Self::Merged(incident) | Self::NotOpen(incident, _) => incident,
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

async fn find(tx: &mut Tx, organization: OrgId, reference: &Reference) -> Result<Option<Incident>> {
    let Reference { source, reference } = reference;
    let select = Select::<Incident>::of(organization, View::now())
        .filter(Filter::is("external_source", source.as_str().into()))
        .filter(Filter::is("external_ref", reference.as_str().into()));
    Ok(select.one(tx).await?.map(|Stored(incident)| incident))
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
        return declare(tx, organization, author, reference, message).await.map(Reported::Declared);
    };
    if !Viewer::of(author).sees_incident(&before) {
        return Err(Error::NotFound(ResourceKind::Incident).into());
    }
    expected.check(before.version)?;
    if before.status.category() == Category::Closed {
        let kept = reports::keep(tx, organization, author, &before, message).await?;
        return Ok(Reported::NotOpen(before, kept));
    }
    let (number, patch) = (before.number.number(), message.patch(&before, overwrite));
    let incident = write::change(tx, organization, author, before, &patch).await?;
    if !message.new.tags.is_empty() {
        let tags = tags::named_or_made(tx, organization, author, &message.new.tags).await?;
        TAGS.add_new(tx, organization, author, (number, &tags, overwrite)).await?;
    }
    Ok(Reported::Merged(incident))
}

async fn declare(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    reference: &Reference,
    message: &Message,
) -> Result<Incident> {
    let assignee = people::person(tx, organization, message.new.assigned_to).await?;
    let assignee = message.check(assignee, &author.actor, tx.at())?;
    let number = IncidentNumber(Counter::Incident.next(tx, organization)?);
    let incident = message.declare(reference, number, assignee, author.actor.clone(), tx.at());
    write::insert(tx, organization, author, incident, &message.new.tags).await
}

/// Refuses a reference that another incident has.
pub(super) async fn require_free(tx: &mut Tx, organization: OrgId, incident: &Incident) -> Result<()> {
    let (Some(source), Some(reference)) = (&incident.external_source, &incident.external_ref) else {
        return Ok(());
    };
    let reference =
        Reference { source: Line::stored(source.clone()), reference: Line::stored(reference.clone()) };
    match find(tx, organization, &reference).await? {
        Some(other) if other.number != incident.number => {
            Err(Error::ExternalRefTaken(vec![incident.number]).into())
        }
        _ => Ok(()),
    }
}

/// Those of these deleted incidents, by number, that cannot be restored together: their references are those of incidents
/// that are not deleted, or of each other.
pub(super) async fn taken(
    tx: &mut Tx,
    organization: OrgId,
    numbers: impl IntoIterator<Item = i64>,
) -> Result<Vec<IncidentNumber>> {
    let sql = format!(
        "SELECT r.number, r.external_source, r.external_ref,
             (SELECT count(*) FROM incident AS other
              WHERE other.organization = r.organization AND other.external_source = r.external_source
                AND other.external_ref = r.external_ref AND other.deleted_date IS NULL)
         FROM {} CROSS JOIN incident AS r
         WHERE r.organization = $1 AND r.number = wanted.number AND r.external_source IS NOT NULL
           AND r.deleted_date IS NOT NULL
         ORDER BY r.number",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers);
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<Referring> = tx.query(&sql, &params).await?;
    let mut count: HashMap<(&str, &str), usize> = HashMap::new();
    for row in &rows {
        *count.entry((&row.source, &row.reference)).or_default() += 1;
    }
    let is_taken = |row: &&Referring| {
        let same = count.get(&(row.source.as_str(), row.reference.as_str()));
        row.holders > 0 || same.is_some_and(|same| *same > 1)
    };
    Ok(rows.iter().filter(is_taken).map(|row| IncidentNumber(row.number)).collect())
}

/// An incident with a reference, and how many incidents that are not deleted have it.
struct Referring {
    number: i64,
    source: String,
    reference: String,
    holders: i64,
}

impl FromRow for Referring {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let (number, source) = (row.get(0)?, row.get(1)?);
        Ok(Self { number, source, reference: row.get(2)?, holders: row.get(3)? })
    }
}

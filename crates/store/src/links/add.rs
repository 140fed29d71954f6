//! Adding a link to an incident.

use db::{Param, Tx, Value};
use domain::incident::Viewer;
use domain::link::{IncidentLink, LinkKind, LinkTarget, NewLink};
use domain::{Author, Error, ErrorCode, FaultCode, IncidentNumber, OrgId};
use macros::boxed;

use super::{LinkReader, Linked, list};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::ledger::{journal, part, record};
use crate::{documents, incidents, risks};

/// Adds a link to an incident that the author sees. What it leads to must be there, and must not be linked in this way
/// already; an author who makes a link to a risk or a document reads them. The incident's version and dates stay.
#[boxed]
pub async fn add(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    new: &NewLink,
) -> Result<Linked> {
    incidents::get(tx, organization, &Viewer::of(author), number, View::now()).await?;
    new.check(number)?;
    require_target(tx, organization, author, &new.to).await?;
    let (latest, same) = linked(tx, organization, number, new).await?;
    if same > 0 {
        return Err(Error::Conflict(ErrorCode::AlreadyLinked).into());
    }
    let link = new.make(number, latest + 1, author.actor.clone(), tx.at());
    let (payload, subject) = (part::changes(None, &link), incidents::subject(number));
    let seq = journal::append(tx, organization, author, "incident.link_added", subject, payload).await?;
    let link = IncidentLink { seq_from: seq, seq, ..link };
    record::insert(tx, organization, &link).await?;
    let made = list::own(tx, organization, &LinkReader::of(author), number, link.number).await?;
    Ok(made.ok_or_else(|| Error::Internal("a link is gone".to_owned()))?)
}

/// Refuses a link to something that is not there or is deleted.
async fn require_target(tx: &mut Tx, organization: OrgId, author: &Author, to: &LinkTarget) -> Result<()> {
    let (pointer, now) = ("#/to/id", View::now());
    let (found, code, noun) = match to {
        LinkTarget::Incident { id: number } => {
            let found = incidents::get(tx, organization, &Viewer::of(author), *number, now).await.map(drop);
            (found, FaultCode::UnknownIncident, "incident")
        }
        LinkTarget::Risk { id: number } => {
            let found = risks::get_without_tags(tx, organization, *number, now).await.map(drop);
            (found, FaultCode::UnknownRisk, "risk")
        }
        LinkTarget::Document { id: slug } => {
            let found = documents::require(tx, organization, slug).await;
            (found, FaultCode::UnknownDocument, "document")
        }
        LinkTarget::Url { .. } => return Ok(()),
    };
    match found {
        Err(crate::Error(Error::NotFound(_))) => {
            let detail = format!("There is no {noun} with this id in your organization.");
            Err(Error::invalid(pointer, code, detail).into())
        }
        found => found,
    }
}

/// The latest number of a link of the incident, and how many links say the same as this one. Incidents that are related
/// are so in both directions.
async fn linked(
    tx: &mut Tx,
    organization: OrgId,
    number: IncidentNumber,
    new: &NewLink,
) -> Result<(i64, i64)> {
    let (column, target) = match &new.to {
        LinkTarget::Incident { id: number } => ("to_incident", Value::Integer(number.number())),
        LinkTarget::Risk { id: number } => ("to_risk", Value::Integer(number.number())),
        LinkTarget::Document { id: slug } => ("to_document", slug.as_str().into()),
        LinkTarget::Url { url, .. } => ("url", url.as_str().into()),
    };
    let reverse = match (&new.to, new.kind) {
        (LinkTarget::Incident { .. }, LinkKind::Related) => {
            " + (SELECT count(*) FROM incident_link AS other
                 WHERE other.organization = $1 AND other.incident = $4 AND other.to_incident = $2
                   AND other.kind = $3 AND other.removed_date IS NULL)"
        }
        _ => "",
    };
    let sql = format!(
        "SELECT COALESCE(MAX(number), 0),
             CAST(COALESCE(SUM(CASE WHEN kind = $3 AND {column} = $4 AND removed_date IS NULL THEN 1 ELSE 0 END), 0)
                  AS BIGINT){reverse}
         FROM incident_link WHERE organization = $1 AND incident = $2"
    );
    let kind = new.kind.as_str();
    let params: [&dyn Param; 4] = [&organization.uuid(), &number.number(), &kind, &target];
    Ok(tx.query_one(&sql, &params).await?)
}

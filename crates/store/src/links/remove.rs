//! Removing a link from an incident.

use db::Tx;
use domain::incident::Viewer;
use domain::link::IncidentLink;
use domain::{Author, Error, IncidentNumber, OrgId, ResourceKind};
use macros::boxed;

use super::{LinkReader, list};
use crate::incidents;
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::ledger::{journal, part, record, search};

/// Removes the link with this number from an incident, if the author sees both ends. The incident's version and dates stay.
#[boxed]
pub async fn remove(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    number: i64,
) -> Result<()> {
    incidents::get(tx, organization, &Viewer::of(author), incident, View::now()).await?;
    let found = list::own(tx, organization, &LinkReader::of(author), incident, number).await?;
    let before = found.ok_or(Error::NotFound(ResourceKind::Link))?.link;
    let after = IncidentLink { removed_date: Some(tx.at()), ..before.clone() };
    let (payload, subject) = (part::changes(Some(&before), &after), incidents::subject(incident));
    let seq = journal::append(tx, organization, author, "incident.link_removed", subject, payload).await?;
    let after = IncidentLink { seq, ..after };
    record::replace(tx, organization, &after).await?;
    search::refresh_part(tx, organization, (incident, number), &before, &after).await
}

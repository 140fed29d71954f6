//! Removing a link from an incident, or all that lead to a document.

use db::{Tx, Value};
use domain::incident::Viewer;
use domain::link::IncidentLink;
use domain::{Author, Error, ErrorCode, IncidentNumber, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;

use super::{LinkReader, list};
use crate::incidents;
use crate::ledger::bulk::cost;
use crate::ledger::error::Result;
use crate::ledger::journal::New;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
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
    let (after, entry) = removed(&before, tx.at());
    let seq = journal::append_all(tx, organization, author, vec![entry]).await?;
    let after = IncidentLink { seq, ..after };
    record::replace(tx, organization, &after).await?;
    search::refresh_part(tx, organization, (incident, number), &before, &after).await
}

/// Removes the links of all incidents that lead to a document, which is deleted, also of those that the caller does not see.
/// Such links have no text of their own that is searched. More links than one write may write are a conflict: the document is
/// relied on.
pub(crate) async fn remove_all(tx: &mut Tx, organization: OrgId, author: &Author, slug: &str) -> Result<()> {
    let present = [("to_document", slug.into()), ("removed_date", Value::Null)];
    let most = i64::try_from(cost::most_records(cost::MOST_OF_ONE)).unwrap_or(i64::MAX);
    let found: Page<Stored<IncidentLink>> = Select::<IncidentLink>::of(organization, View::with_deleted())
        .filters(present.map(|(column, value)| Filter::is(column, value)))
        .order(&["incident", "number"], Direction::Ascending, None)
        .page(tx, most)
        .await?;
    if found.has_more {
        return Err(Error::Conflict(ErrorCode::DocumentWorkedOn).into());
    }
    if found.rows.is_empty() {
        return Ok(());
    }
    let (mut after, entries): (Vec<_>, Vec<_>) =
        found.rows.iter().map(|Stored(before)| removed(before, tx.at())).unzip();
    let last = journal::append_all(tx, organization, author, entries).await?;
    after.iter_mut().rev().zip(0..).for_each(|(link, behind)| link.seq = last - behind);
    record::insert_or_replace_all(tx, organization, &after).await
}

/// A link once it is removed, and what is journaled.
fn removed(before: &IncidentLink, at: Timestamp) -> (IncidentLink, New) {
    let after = IncidentLink { removed_date: Some(at), ..before.clone() };
    let (kind, subject) = ("incident.link_removed", incidents::subject(before.incident));
    let entry = New { kind, subject, payload: part::changes(Some(before), &after) };
    (after, entry)
}

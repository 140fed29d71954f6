//! Where a person is mentioned, across the incidents that they see.

use db::{FromRow, Row, Tx};
use domain::incident::Viewer;
use domain::note::Note;
use domain::{IncidentNumber, Line, OrgId, UserId};
use jiff::Timestamp;
use macros::boxed;

use super::IncidentNote;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select, SortColumn, TimeRange};
use crate::ledger::record::{Columns as _, Reader};
use crate::ledger::view::View;

/// A comment that mentions somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mentioning {
    /// The comment.
    pub note: Note,
    /// The incident that it is about.
    pub incident: IncidentNumber,
    /// The title of the incident.
    pub incident_title: Line,
}

/// Up to `limit` comments since a time that mention a person, the latest first.
#[boxed]
pub async fn mentioning(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    person: UserId,
    since: Timestamp,
    limit: i64,
) -> Result<Vec<Mentioning>> {
    let created = TimeRange { from: Some(since), before: None };
    let select = Select::<IncidentNote>::of(organization, View::now())
        .filter(Filter::Present("mentions"))
        .filter(Filter::HasText("mentions", vec![person.to_string()]))
        .filters(Filter::times("created_date", created))
        .filter(Filter::OfSeenIncident(viewer));
    let select = select.with(", incident.title", |_| {
        " JOIN incident ON incident.organization = r.organization AND incident.number = r.incident".to_owned()
    });
    let order = SortColumn::column("created_date");
    select.sort(order, "seq_from", Direction::Descending, None).first(tx, limit).await
}

impl FromRow for Mentioning {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let IncidentNote { note, incident } = IncidentNote::read(&mut row)?;
        Ok(Self { note, incident, incident_title: Line::stored(row.next::<String>()?) })
    }
}

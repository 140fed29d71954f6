//! Lists of notes.

use db::{Tx, Value};
use domain::incident::Viewer;
use domain::note::{Note, NoteKind};
use domain::{IncidentNumber, OrgId};
use macros::boxed;

use super::mentions::{WithMentions, mentioned};
use super::{IncidentNote, read};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, ListQuery, Position, Sort, SortColumn};
use crate::ledger::page::Page;
use crate::ledger::record::Stored;
use crate::ledger::view::View;

/// What a caller asks of the notes about an incident.
pub type NoteQuery = ListQuery<NoteFilter, NoteSort>;

/// Which notes a list has. What is empty lets every note through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteFilter {
    /// Notes of one of these kinds.
    pub kind: Vec<NoteKind>,
    /// Notes that are pinned, or those that are not.
    pub pinned: Option<bool>,
}

domain::words! {
    "NoteSort"
    /// What notes can be sorted by.
    pub enum NoteSort {
        /// The event time of the note.
        At = "at",
        /// When the note was written.
        CreatedDate = "created_date",
    }
}

/// By the time that they speak of, the earliest first.
impl Default for Sort<NoteSort> {
    fn default() -> Self {
        Self { by: NoteSort::At, direction: Direction::Ascending }
    }
}

impl NoteFilter {
    fn filters(&self) -> impl Iterator<Item = Filter<'_>> {
        // A note that is not pinned has NULL there.
        let pinned = |it| Filter::is("pinned", if it { Value::Bool(true) } else { Value::Null });
        [Filter::words("kind", &self.kind), self.pinned.map(pinned)].into_iter().flatten()
    }
}

impl NoteSort {
    /// Numbers are in the order of writing.
    fn column(self) -> SortColumn {
        match self {
            Self::At => SortColumn::column("at"),
            Self::CreatedDate => SortColumn::key(),
        }
    }

    /// Where a note stands in this order.
    pub fn position(self, note: &Note) -> Position {
        match self {
            Self::At => Position::of(Some(note.at.into()), note.number),
            Self::CreatedDate => Position::of_key(note.number),
        }
    }
}

/// Up to `limit` notes of a list.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    incident: IncidentNumber,
    query: &NoteQuery,
    limit: i64,
) -> Result<WithMentions<Page<Note>>> {
    let ListQuery { view, filter, sort, after } = query;
    let incident = read::incident(tx, organization, viewer, incident, *view).await?;
    let select = read::of_incident(organization, incident.number, *view).filters(filter.filters());
    let select = select.sort(sort.by.column(), "number", sort.direction, after.as_ref());
    let value = select.page(tx, limit).await?.map(|Stored(IncidentNote { note, .. })| note);
    // Asked for whether there are any, so that a page costs the same whatever notes it has.
    let ids = value.rows.iter().flat_map(|it| it.mentions.iter().copied()).collect();
    let mentions = mentioned(tx, organization, ids).await?;
    Ok(WithMentions { value, incident, mentions })
}

/// How many notes a list has on all its pages, of an incident that the caller is known to see.
#[boxed]
pub async fn count(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    view: View,
    filter: &NoteFilter,
) -> Result<i64> {
    read::of_incident(organization, incident, view).filters(filter.filters()).count(tx).await
}

/// Up to `limit` notes about an incident by the time that they speak of, after this position, for its timeline.
pub(crate) async fn of_timeline(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    direction: Direction,
    after: Option<&Position>,
    limit: i64,
) -> Result<Page<Note>> {
    let select = read::of_incident(organization, incident, View::now());
    let select = select.sort(NoteSort::At.column(), "number", direction, after);
    Ok(select.page(tx, limit).await?.map(|Stored(IncidentNote { note, .. })| note))
}

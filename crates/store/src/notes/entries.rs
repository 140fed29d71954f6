//! Entries that people write into the timelines of incidents.

use db::{Tx, Value};
use domain::incident::Viewer;
use domain::note::{Entry, EntryKind, EntryPatch, NewEntry};
use domain::{Author, Error, ExpectedVersion, Faults, IncidentNumber, OrgId};
use jiff::Timestamp;
use macros::boxed;

pub use super::NoteId;
use super::{read, revisions, write};
use crate::error::Result;
use crate::list::{Direction, Filter, ListQuery, Position, Sort, SortColumn};
use crate::page::Page;
use crate::part;
use crate::record::Stored;
use crate::view::{Deleted, View};

/// What a caller asks of the entries of an incident.
pub type EntryQuery = ListQuery<EntryFilter, EntrySort>;

/// Which entries a list has. What is empty lets every entry through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryFilter {
    /// Entries of one of these kinds.
    pub kind: Vec<EntryKind>,
    /// Entries that are pinned, or those that are not.
    pub pinned: Option<bool>,
}

domain::words! {
    "IncidentEntrySort"
    /// What entries can be sorted by.
    pub enum EntrySort {
        /// The time that the entry speaks of.
        At = "at",
        /// When the entry was written.
        CreatedDate = "created_date",
    }
}

/// By the time that they speak of, the earliest first.
impl Default for Sort<EntrySort> {
    fn default() -> Self {
        Self { by: EntrySort::At, direction: Direction::Ascending }
    }
}

impl EntryFilter {
    fn filters(&self) -> impl Iterator<Item = Filter<'_>> {
        // An entry that is not pinned has NULL there.
        let pinned = |it| Filter::is("pinned", if it { Value::Bool(true) } else { Value::Null });
        [Filter::words("kind", &self.kind), self.pinned.map(pinned)].into_iter().flatten()
    }
}

impl EntrySort {
    /// Numbers are in the order of writing.
    fn column(self) -> SortColumn {
        match self {
            Self::At => SortColumn::column("at"),
            Self::CreatedDate => SortColumn::key(),
        }
    }

    /// Where an entry stands in this order.
    pub fn position(self, entry: &Entry) -> Position {
        match self {
            Self::At => Position::of(Some(entry.at.into()), entry.note.number),
            Self::CreatedDate => Position::of_key(entry.note.number),
        }
    }
}

/// Writes an entry into the timeline of an incident.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    new: &NewEntry,
) -> Result<Entry> {
    let viewer = Viewer::of(author);
    let incident = read::incident(tx, organization, &viewer, incident, View::now()).await?;
    let number = part::next_number::<Entry>(tx, organization, incident.number.number()).await?;
    let entry = new.write(incident.number, number, author.actor.clone(), tx.at())?;
    write::add(tx, organization, author, entry).await
}

/// One entry.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, viewer: &Viewer, id: NoteId, view: View) -> Result<Entry> {
    Ok(read::get(tx, organization, viewer, id, view).await?.1)
}

/// Up to `limit` entries of a list.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    incident: IncidentNumber,
    query: &EntryQuery,
    limit: i64,
) -> Result<Page<Entry>> {
    let ListQuery { view, filter, sort, after } = query;
    read::incident(tx, organization, viewer, incident, *view).await?;
    let select = read::of_incident::<Entry>(organization, incident, *view).filters(filter.filters());
    let select = select.sort(sort.by.column(), "number", sort.direction, after.as_ref());
    Ok(select.page(tx, limit).await?.map(|Stored(entry)| entry))
}

/// How many entries a list has on all its pages, of an incident that the caller is known to see.
#[boxed]
pub async fn count(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    view: View,
    filter: &EntryFilter,
) -> Result<i64> {
    read::of_incident::<Entry>(organization, incident, view).filters(filter.filters()).count(tx).await
}

/// Up to `limit` revisions of an entry, the first one first: those after the one that begins with the version `after`.
#[boxed]
pub async fn list_revisions(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    id: NoteId,
    after: Option<i64>,
    limit: i64,
) -> Result<Page<Entry>> {
    revisions::list(tx, organization, viewer, id, after, limit).await
}

/// How many revisions an entry has that the caller is known to see.
#[boxed]
pub async fn count_revisions(tx: &mut Tx, organization: OrgId, id: NoteId) -> Result<i64> {
    revisions::count::<Entry>(tx, organization, id).await
}

/// Edits, pins or unpins an entry, if it has an `expected` version. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
    patch: &EntryPatch,
) -> Result<Entry> {
    let (_, before) = write::find::<Entry>(tx, organization, author, id, expected, Deleted::Without).await?;
    match patch.apply(&before, author, tx.at())? {
        Some(after) => write::replace(tx, organization, author, &before, after).await,
        None => Ok(before),
    }
}

/// What is wrong with a patch beside the entry as it is at `now`; nothing if there is no such entry. For a patch that
/// is refused anyway, so that all faults are reported at once.
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    patch: &EntryPatch,
    now: Timestamp,
) -> Result<Faults> {
    let viewer = Viewer::of(author);
    let (_, before) = match read::get::<Entry>(tx, organization, &viewer, id, View::now()).await {
        Err(crate::Error(Error::NotFound(_))) => return Ok(Faults::new()),
        found => found?,
    };
    match patch.apply(&before, author, now) {
        Err(Error::Invalid(faults)) => Ok(faults),
        _ => Ok(Faults::new()),
    }
}

/// Deletes an entry softly, if it has an `expected` version. Only its author and holders of `incidents:delete` may.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
) -> Result<()> {
    write::delete::<Entry>(tx, organization, author, id, expected).await
}

/// Restores a deleted entry, if it has an `expected` version. One that is not deleted is not found.
#[boxed]
pub async fn restore(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
) -> Result<Entry> {
    Ok(write::restore(tx, organization, author, id, expected).await?.1)
}

/// Up to `limit` entries of an incident by the time that they speak of, after this position, for its timeline.
pub(crate) async fn of_timeline(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    direction: Direction,
    after: Option<&Position>,
    limit: i64,
) -> Result<Page<Entry>> {
    let select = read::of_incident::<Entry>(organization, incident, View::now());
    let select = select.sort(EntrySort::At.column(), "number", direction, after);
    Ok(select.page(tx, limit).await?.map(|Stored(entry)| entry))
}

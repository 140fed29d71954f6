//! The timeline of an incident: its journal entries, worded for people, and what people wrote about it.

mod changes;
mod names;

use db::{Param, Tx};
use domain::incident::Viewer;
use domain::note::{Note, NoteKind};
use domain::timeline::ShownChange;
use domain::{Actor, IncidentNumber, OrgId};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use macros::boxed;
use serde::{Deserialize, Serialize};

use super::{read, subject};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Position, Sort};
use crate::ledger::page::Page;
use crate::ledger::view::View;
use crate::notes;

domain::words! {
    "TimelineSort"
    /// What the timeline of an incident can be sorted by.
    pub enum TimelineSort {
        /// The event time.
        At = "at",
    }
}

domain::words! {
    "TimelineType"
    /// What an item of a timeline is.
    pub enum TimelineType {
        /// A change of the incident, in a sentence.
        Change = "change",
        /// A note or comment.
        Note = "note",
    }
}

/// The latest item first.
impl Default for Sort<TimelineSort> {
    fn default() -> Self {
        Self { by: TimelineSort::At, direction: Direction::Descending }
    }
}

/// What a caller asks of a timeline.
#[derive(Debug, Clone)]
pub struct TimelineQuery {
    /// Items of these types; of every type if none is named.
    pub types: Vec<TimelineType>,
    /// In which order.
    pub sort: Sort<TimelineSort>,
    /// Only those after this position in the order.
    pub after: Option<TimelinePosition>,
    /// The zone in which sentences have dates.
    pub zone: TimeZone,
}

/// Where a page ends: the last item of each type so far. Each type is read on from its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimelinePosition {
    change: Option<i64>,
    note: Option<Position>,
}

/// An item of a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineItem {
    /// The journal entry that tells of it.
    pub seq: i64,
    /// When it happened: of a note the time that it speaks of.
    pub at: Timestamp,
    /// Who did it, or wrote it.
    pub actor: Actor,
    /// A sentence, or what was written, in Markdown.
    pub text: String,
    /// What it is.
    pub what: TimelineWhat,
    /// Where it stands.
    pub position: TimelinePosition,
}

/// What an item of a timeline is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the note or the journal entry")]
pub enum TimelineWhat {
    /// A change.
    Change { kind: String, changes: Vec<ShownChange> },
    /// A note.
    Note {
        number: i64,
        kind: NoteKind,
        pinned: bool,
        created_date: Timestamp,
        edited_date: Option<Timestamp>,
    },
}

/// The journal's entries about what people wrote. It stands in the timeline itself, as it is now.
const ABOUT_NOTES: [&str; 2] = ["incident.note_added", "incident.note_updated"];

impl TimelineQuery {
    fn has(&self, wanted: TimelineType) -> bool {
        self.types.is_empty() || self.types.contains(&wanted)
    }
}

/// Up to `limit` items of the timeline of an incident that the caller sees.
#[boxed]
pub async fn timeline(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    number: IncidentNumber,
    query: &TimelineQuery,
    limit: i64,
) -> Result<Page<TimelineItem>> {
    read::get(tx, organization, viewer, number, View::now()).await?;
    let (direction, after) = (query.sort.direction, query.after.clone().unwrap_or_default());
    let (mut items, mut has_more) = (Vec::new(), false);
    let mut add = |page: Page<TimelineItem>| {
        has_more |= page.has_more;
        items.extend(page.rows);
    };
    if query.has(TimelineType::Change) {
        let of = (number, viewer);
        add(changes::page(tx, organization, of, query, after.change, limit).await?);
    }
    if query.has(TimelineType::Note) {
        let page = notes::of_timeline(tx, organization, number, direction, after.note.as_ref(), limit);
        add(page.await?.map(of_note));
    }
    items.sort_by_key(|item| (item.at, item.seq));
    if direction == Direction::Descending {
        items.reverse();
    }
    let Page { mut rows, has_more: is_cut } = Page::cut(items, limit);
    let mut position = after;
    for item in &mut rows {
        position.pass(item);
        item.position = position.clone();
    }
    Ok(Page { rows, has_more: has_more || is_cut })
}

impl TimelinePosition {
    /// Moves behind an item.
    fn pass(&mut self, item: &TimelineItem) {
        match item.what {
            TimelineWhat::Change { .. } => self.change = Some(item.seq),
            TimelineWhat::Note { number, .. } => {
                self.note = Some(Position::of(Some(item.at.into()), number));
            }
        }
    }
}

fn of_note(note: Note) -> TimelineItem {
    let what = TimelineWhat::Note {
        number: note.number,
        kind: note.kind,
        pinned: note.pinned,
        created_date: note.created_date,
        edited_date: note.edited_date,
    };
    let (text, position) = (note.text.into(), TimelinePosition::default());
    TimelineItem { seq: note.seq, at: note.at, actor: note.author, text, what, position }
}

/// How many items the timeline of an incident has.
#[boxed]
pub async fn timeline_count(
    tx: &mut Tx,
    organization: OrgId,
    number: IncidentNumber,
    query: &TimelineQuery,
) -> Result<i64> {
    let (organization, id, number) = (organization.uuid(), subject(number).id, number.number());
    let mut params: Vec<&dyn Param> = vec![&organization];
    let mut counts = Vec::new();
    if query.has(TimelineType::Change) {
        params.push(&id);
        counts.push(format!(
            "(SELECT count(*) FROM journal_entry WHERE organization = $1 AND subject_kind = 'incident'
                  AND subject_id = $2 AND kind NOT IN ('{}'))",
            ABOUT_NOTES.join("', '")
        ));
    }
    if query.has(TimelineType::Note) {
        params.push(&number);
        counts.push(format!(
            "(SELECT count(*) FROM incident_note
              WHERE organization = $1 AND incident = ${} AND deleted_date IS NULL)",
            params.len()
        ));
    }
    let (count,) = tx.query_one(&format!("SELECT {}", counts.join(" + ")), &params).await?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::incident::Incident;

    use crate::ledger::record::{Columns as _, Role};

    #[test]
    fn every_journaled_field_of_an_incident_has_a_label() {
        let fields = Incident::fields().into_iter().filter(|field| field.role == Role::Journaled);
        let journaled: BTreeSet<&str> = fields.map(|field| field.name).collect();
        assert_eq!(domain::timeline::labelled_fields().collect::<BTreeSet<_>>(), journaled);
    }
}

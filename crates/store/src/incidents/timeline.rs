//! The timeline of an incident: its journal entries, worded for people.

mod names;

use std::collections::HashMap;

use db::Tx;
use domain::incident::Viewer;
use domain::timeline::{Payload, ShownChange, Told, Worded, word};
use domain::{Actor, IncidentNumber, OrgId};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{read, subject};
use crate::error::Result;
use crate::journal::{self, Entry, EntryFilter, Fields};
use crate::list::{Direction, Sort};
use crate::page::Page;
use crate::redaction;
use crate::view::View;

/// The latest redactions of an incident that a page knows of.
const MOST_REDACTIONS: i64 = 200;

domain::words! {
    "TimelineSort"
    /// What the timeline of an incident can be sorted by.
    pub enum TimelineSort {
        /// The time that an item speaks of.
        At = "at",
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
    /// In which order.
    pub sort: Sort<TimelineSort>,
    /// Only those after this position in the order.
    pub after: Option<TimelinePosition>,
    /// The zone in which sentences have dates.
    pub zone: TimeZone,
}

/// Where an item stands in a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimelinePosition {
    /// The last journal entry so far.
    change: i64,
}

/// An item of a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineItem {
    /// The journal entry that tells of it.
    pub seq: i64,
    /// When it happened.
    pub at: Timestamp,
    /// Who did it.
    pub actor: Actor,
    /// The kind of the journal entry.
    pub kind: String,
    /// The sentence.
    pub text: String,
    /// Each changed field.
    pub changes: Vec<ShownChange>,
    /// Where it stands.
    pub position: TimelinePosition,
}

/// Up to `limit` items of the timeline of an incident that the caller sees.
pub async fn timeline(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    number: IncidentNumber,
    query: &TimelineQuery,
    limit: i64,
) -> Result<Page<TimelineItem>> {
    read::get(tx, organization, viewer, number, View::now()).await?;
    let (direction, after) = (query.sort.direction, query.after.map(|position| position.change));
    let page = journal::page(tx, organization, &entries_of(number), direction, after, limit).await?;
    let told = told_again(tx, organization, number, &page.rows).await?;
    let entries: Vec<_> = page.rows.into_iter().map(|entry| with_payload(entry, &told)).collect();
    let payloads = entries.iter().filter_map(|(_, payload)| payload.as_ref());
    let names = names::of(tx, organization, viewer, number, payloads, query.zone.clone()).await?;
    let item = |(entry, payload): (Entry, Option<Payload>)| {
        let told = Told { kind: &entry.kind, actor: &entry.actor, payload: payload.as_ref() };
        let Worded { text, changes } = word(told, &names);
        let Entry { seq, at, actor, kind, .. } = entry;
        TimelineItem { seq, at, actor, kind, text, changes, position: TimelinePosition { change: seq } }
    };
    Ok(Page { rows: entries.into_iter().map(item).collect(), has_more: page.has_more })
}

/// How many items the timeline of an incident has.
pub async fn timeline_count(tx: &mut Tx, organization: OrgId, number: IncidentNumber) -> Result<i64> {
    journal::count(tx, organization, &entries_of(number)).await
}

/// The journal entries about an incident.
fn entries_of(number: IncidentNumber) -> EntryFilter {
    let subject = subject(number);
    EntryFilter { subject_kind: vec![subject.kind], subject_id: vec![subject.id], ..EntryFilter::default() }
}

/// What the entries about redactions say of those whose payloads they erased, if there are any.
async fn told_again(
    tx: &mut Tx,
    organization: OrgId,
    number: IncidentNumber,
    entries: &[Entry],
) -> Result<HashMap<i64, Fields>> {
    if entries.iter().all(|entry| entry.payload.is_some()) {
        return Ok(HashMap::new());
    }
    let filter = EntryFilter { kind: vec![redaction::KIND], ..entries_of(number) };
    let page = journal::page(tx, organization, &filter, Direction::Descending, None, MOST_REDACTIONS).await?;
    Ok(journal::told_again(page.rows.iter().map(|entry| (entry.seq, entry.payload.as_deref()))))
}

/// The payload of an entry, as a redaction tells it again if it was erased.
fn with_payload(entry: Entry, told: &HashMap<i64, Fields>) -> (Entry, Option<Payload>) {
    let payload = match &entry.payload {
        Some(text) => Payload::parse(text),
        None => told.get(&entry.seq).and_then(|fields| Payload::parse(&json!(fields).to_string())),
    };
    (entry, payload)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::incident::Incident;

    use crate::record::{Record as _, Role};

    #[test]
    fn every_journaled_field_of_an_incident_has_a_label() {
        let fields = Incident::fields().into_iter().filter(|field| field.role == Role::Journaled);
        let journaled: BTreeSet<&str> = fields.map(|field| field.name).collect();
        assert_eq!(domain::timeline::labelled_fields().collect::<BTreeSet<_>>(), journaled);
    }
}

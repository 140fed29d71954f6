//! The journal entries about an incident, as a timeline words them.

use std::collections::HashMap;

use db::Tx;
use domain::incident::Viewer;
use domain::timeline::{Payload, Told, Worded, word};
use domain::{IncidentNumber, OrgId};
use serde_json::json;

use super::{ABOUT_NOTES, TimelineItem, TimelinePosition, TimelineQuery, TimelineWhat, names};
use crate::incidents::subject;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Entry, EntryFilter, Fields};
use crate::ledger::list::Direction;
use crate::ledger::page::Page;
use crate::redaction;

/// The latest redactions of an incident that a page knows of.
const MOST_REDACTIONS: i64 = 200;

/// Up to `limit` changes of an incident after the entry `after`, as the caller may read them.
pub(super) async fn page(
    tx: &mut Tx,
    organization: OrgId,
    (number, viewer): (IncidentNumber, &Viewer),
    query: &TimelineQuery,
    after: Option<i64>,
    limit: i64,
) -> Result<Page<TimelineItem>> {
    let page =
        journal::page(tx, organization, &entries_of(number), query.sort.direction, after, limit).await?;
    let told = told_again(tx, organization, number, &page.rows).await?;
    let entries: Vec<_> = page.rows.into_iter().map(|entry| with_payload(entry, &told)).collect();
    let payloads = entries.iter().filter_map(|(_, payload)| payload.as_ref());
    let names = names::of(tx, organization, viewer, number, payloads, query.zone.clone()).await?;
    let item = |(entry, payload): (Entry, Option<Payload>)| {
        let told = Told { kind: &entry.kind, actor: &entry.actor, payload: payload.as_ref() };
        let Worded { text, changes } = word(told, &names);
        let Entry { seq, at, actor, kind, .. } = entry;
        let (what, position) = (TimelineWhat::Change { kind, changes }, TimelinePosition::default());
        TimelineItem { seq, at, actor, text, what, position }
    };
    Ok(Page { rows: entries.into_iter().map(item).collect(), has_more: page.has_more })
}

/// The journal entries about an incident that are told as changes.
fn entries_of(number: IncidentNumber) -> EntryFilter {
    let subject = subject(number);
    let kinds = journal::kinds_about(subject.kind).filter(|kind| !ABOUT_NOTES.contains(kind));
    EntryFilter {
        subject_kind: vec![subject.kind],
        subject_id: vec![subject.id],
        kind: kinds.collect(),
        ..EntryFilter::default()
    }
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

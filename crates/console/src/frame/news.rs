//! What others did to a record since a page showed it: who comes second is told who was first.

use db::Tx;
use domain::timeline::Payload;
use domain::{Error as E, IncidentNumber};
use store::incidents::{TimelineQuery, TimelineType};
use store::journal::{self, Entry, EntryFilter};
use store::list::Direction;

use super::form::Form;
use super::page_request::{PageRequest, Result};
use super::problems::Problems;
use crate::texts;

/// So many of the latest changes are told.
const TOLD: i64 = 3;

/// The latest journal entry about the record that the page of a form showed.
pub(crate) fn seen(form: &Form) -> Option<i64> {
    form.text("seen").parse().ok()
}

/// The problems of a form, with who changed the incident if somebody else was faster: since the entry `seen`, or lastly.
pub(crate) async fn of_incident(
    request: &PageRequest,
    tx: &mut Tx,
    number: IncidentNumber,
    seen: Option<i64>,
    problems: Problems,
) -> Result<Problems> {
    if !problems.is_stale {
        return Ok(problems);
    }
    let query = TimelineQuery {
        types: vec![TimelineType::Change],
        sort: Default::default(),
        after: None,
        zone: request.organization.time_zone(),
    };
    let viewer = request.viewer();
    let found = match store::incidents::timeline(tx, request.id(), &viewer, number, &query, TOLD).await {
        // It is in the trash.
        Err(store::Error(E::NotFound(_))) => {
            let record = ("incident", number.to_string());
            return of_record(request, tx, record, seen, problems).await;
        }
        found => found?,
    };
    let told = found.rows.into_iter().map(|it| (it.seq, texts::told(&it.text, &request.clock.short(&it.at))));
    Ok(problems.with_news(&since(seen, told.collect())))
}

/// The same of another record, by its kind and its id in the journal.
pub(crate) async fn of_record(
    request: &PageRequest,
    tx: &mut Tx,
    (kind, id): (&'static str, String),
    seen: Option<i64>,
    problems: Problems,
) -> Result<Problems> {
    if !problems.is_stale {
        return Ok(problems);
    }
    let told = |entry: &Entry| {
        let text = format!("{} {}", entry.actor.name, clause(entry));
        (entry.seq, texts::told(&text, &request.clock.short(&entry.at)))
    };
    let filter = EntryFilter { subject_kind: vec![kind], subject_id: vec![id], ..EntryFilter::default() };
    let found = journal::page(tx, request.id(), &filter, Direction::Descending, None, TOLD).await?;
    Ok(problems.with_news(&since(seen, found.rows.iter().map(told).collect())))
}

/// The changes after an entry, the earliest first; without one the latest.
fn since(seen: Option<i64>, told: Vec<(i64, String)>) -> Vec<String> {
    let latest = told.into_iter().enumerate();
    let new = latest.filter(|(place, (seq, _))| seen.map_or(*place == 0, |seen| *seq > seen));
    let mut new: Vec<String> = new.map(|(_, (_, text))| text).collect();
    new.reverse();
    new
}

/// What an entry tells, as what follows a name: `closed it`.
fn clause(entry: &Entry) -> &'static str {
    let (_, done) = entry.kind.split_once('.').unwrap_or_default();
    match done {
        "deleted" => texts::DELETED_IT,
        "restored" => texts::RESTORED_IT,
        "recorded" => texts::EVALUATED_IT,
        "reviewed" => texts::REVIEWED_IT,
        "tag_added" => texts::ADDED_A_TAG,
        "tag_removed" => texts::REMOVED_A_TAG,
        _ => match status(entry).as_deref() {
            Some("closed") => texts::CLOSED_IT,
            Some("open") => texts::REOPENED_IT,
            _ => texts::CHANGED_IT,
        },
    }
}

/// The status that an entry sets.
fn status(entry: &Entry) -> Option<String> {
    let payload = Payload::parse(entry.payload.as_deref()?)?;
    let change = payload.changes().iter().find(|change| change.field == "status")?;
    change.after.as_str().map(str::to_owned)
}

//! `GET /o/{slug}/journal`: who changed what, the latest first.

use std::collections::HashSet;

use askama::Template;
use db::Tx;
use domain::document::Document;
use domain::incident::Incident;
use domain::record::{Field, Record as _};
use domain::risk::Risk;
use domain::{IncidentNumber, RiskNumber, Scope};
use http::page::{List, Page};
use http::query::Query;
use lists::input::journal_filter;
use store::journal::{self, Entry};
use store::list::Direction;

use super::READ;
use crate::frame::clock::Typed;
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// The most members, and the most clients, that the filter names.
const MOST_ACTORS: i64 = 100;

/// The most names of changed fields in a line.
const MOST_FIELDS: usize = 8;

#[derive(Template)]
#[template(path = "journal/list.html")]
struct JournalPage {
    frame: Layout,
    rows: Vec<Entry>,
    /// The records of the page that the person can open.
    incidents: HashSet<IncidentNumber>,
    risks: HashSet<RiskNumber>,
    next: Option<String>,
    is_first: bool,
    asked: Form,
    /// Who may have changed something: the members and the clients, by id.
    actors: Vec<(String, String)>,
    /// The number of the last entry.
    last: i64,
    /// Its hash, in hexadecimal.
    hash: String,
}

/// `GET /o/{slug}/journal`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let asked = request.asked();
    let text = in_instants(&asked, &request);
    let mut query = Query::new(Some(&text));
    let page = Page::<i64>::read(&request.list_id(), &mut query);
    let filter = journal_filter::read(&mut query, &request.member.actor());
    query.finish()?;
    let (organization, is_first) = (request.id(), page.after.is_none());
    let mut tx = request.read().await?;
    let head = journal::head(&mut tx, organization).await?;
    let direction = Direction::Descending;
    let mut found = journal::page(&mut tx, organization, &filter, direction, page.after, page.limit).await?;
    store::incidents::hide_entries(&mut tx, organization, &request.viewer(), &mut found.rows).await?;
    let frame = Layout::of(&request, &mut tx, texts::AUDIT_LOG, Section::Journal).await?;
    let actors = actors(&mut tx, &request).await?;
    let shown = List::of(&request.list_id(), found, None, |entry| entry.seq, |entry| entry);
    let (rows, next) = (shown.data, shown.next_cursor);
    let (incidents, risks) = there(&request, &mut tx, &rows).await?;
    let hash = hex::encode(head.hash);
    request.show(&JournalPage {
        frame,
        rows,
        incidents,
        risks,
        next,
        is_first,
        asked,
        actors,
        last: head.seq,
        hash,
    })
}

/// The query with the times of the page's zone as instants.
fn in_instants(asked: &Form, request: &PageRequest) -> String {
    // Of a time that exists twice or not at all, so that the list has everything that may be meant.
    let moment = |value: String, is_last: bool| match request.clock.typed(&value) {
        Typed::Moment(at) => domain::time::format(at),
        Typed::Unclear([first, last]) => domain::time::format(if is_last { last } else { first }),
        Typed::Nothing => value,
        Typed::Other(text) => text,
    };
    let fields = asked.clone().into_fields().into_iter().map(|(name, value)| match name.as_str() {
        "from" => (name, moment(value, false)),
        "to" => (name, moment(value, true)),
        _ => (name, value),
    });
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// The members and the clients, by name.
async fn actors(tx: &mut Tx, request: &PageRequest) -> Result<Vec<(String, String)>> {
    let members = store::people::first(tx, request.id(), MOST_ACTORS).await?;
    let clients = store::clients::list(tx, request.id(), None, MOST_ACTORS).await?.rows;
    let members = members.into_iter().map(|it| (it.person.id.to_string(), it.person.name));
    let clients = clients.into_iter().map(|it| (it.record.client.id.to_string(), it.record.client.name));
    Ok(members.chain(clients).collect())
}

/// The incidents and the risks among the subjects of these entries that the person can open.
async fn there(
    request: &PageRequest,
    tx: &mut Tx,
    rows: &[Entry],
) -> Result<(HashSet<IncidentNumber>, HashSet<RiskNumber>)> {
    let ids = |kind: &'static str| {
        rows.iter().filter(move |it| it.subject_kind == kind).map(|it| it.subject_id.as_str())
    };
    let (organization, viewer) = (request.id(), request.viewer());
    let numbers: Vec<_> = ids("incident").filter_map(IncidentNumber::parse).collect();
    let view = request.view(Scope::IncidentsDelete);
    let incidents = store::incidents::existing(tx, organization, &viewer, view, &numbers).await?;
    let numbers: Vec<_> = ids("risk").filter_map(RiskNumber::parse).collect();
    let risks = store::risks::existing(tx, organization, request.view(Scope::RisksDelete), &numbers).await?;
    Ok((incidents, risks))
}

impl JournalPage {
    fn subject_kinds(&self) -> Vec<&'static str> {
        journal::subject_kinds().collect()
    }

    /// A kind of record, or of entry, in words.
    fn words(&self, kind: &str) -> String {
        kind.replace('_', " ")
    }

    /// What an entry says, in words: `incident.task_created` is `task created`.
    fn said(&self, entry: &Entry) -> String {
        self.words(entry.kind.split_once('.').map_or(entry.kind.as_str(), |(_, said)| said))
    }

    /// The page of the record, and its number; none where there is no page.
    fn record(&self, entry: &Entry) -> Option<(String, String)> {
        let id = &entry.subject_id;
        let folder = match entry.subject_kind.as_str() {
            "incident" if IncidentNumber::parse(id).is_some_and(|it| self.incidents.contains(&it)) => {
                "incidents"
            }
            "risk" if RiskNumber::parse(id).is_some_and(|it| self.risks.contains(&it)) => "risks",
            _ => return None,
        };
        Some((format!("{}/{folder}/{id}", self.frame.base), id.clone()))
    }

    /// The names of the fields that were changed.
    fn fields(&self, entry: &Entry) -> String {
        let payload = entry.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let Some(serde_json::Value::Object(fields)) = payload else { return String::new() };
        let mut names: Vec<String> = Vec::new();
        let noun = |path: &str| noun(&entry.subject_kind, path).unwrap_or_else(|| self.words(named(path)));
        // Of an added part, such as `notes/8`, the fields say what it has: `notes/8/text`.
        let is_part = |path: &str, next: Option<&&String>| {
            next.and_then(|next| next.strip_prefix(path)).is_some_and(|rest| rest.starts_with('/'))
        };
        let paths: Vec<_> = fields.keys().collect();
        let own = paths.iter().enumerate().filter(|(at, path)| !is_part(path, paths.get(at + 1)));
        for name in own.map(|(_, path)| noun(path)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = if names.len() > MOST_FIELDS { ", …" } else { "" };
        names.truncate(MOST_FIELDS);
        names.join(", ") + more
    }

    fn is_filtered(&self) -> bool {
        self.has_times() || ["subject_kind", "subject_id", "actor"].iter().any(|name| self.asked.has(name))
    }

    fn has_times(&self) -> bool {
        !self.asked.text("from").is_empty() || !self.asked.text("to").is_empty()
    }

    /// The one record whose entries are shown.
    fn subject_id(&self) -> Option<&str> {
        self.asked.all("subject_id").find(|id| !id.is_empty())
    }

    fn next_page(&self, cursor: &str) -> String {
        self.asked.query_with("cursor", Some(cursor))
    }

    fn first_page(&self) -> String {
        self.asked.query_with("cursor", None)
    }
}

/// What the record of this kind calls a field; none if it says nothing of it.
fn noun(kind: &str, field: &str) -> Option<String> {
    match kind {
        "incident" => Incident::field(field).map(Field::noun),
        "risk" => Risk::field(field).map(Field::noun),
        "document" => Document::field(field).map(Field::noun),
        _ => None,
    }
}

/// The name of a field in its path: `text` for `entries/8/text`, `secrets` for `secrets/{id}`.
fn named(path: &str) -> &str {
    let is_name = |part: &&str| !part.contains(|letter: char| letter.is_ascii_digit());
    path.split('/').rfind(is_name).unwrap_or(path)
}

//! `GET /o/{slug}/journal`: who changed what, the latest first.

use askama::Template;
use domain::{IncidentNumber, RiskNumber, Scope};
use store::journal::{self, Entry};
use store::list::Direction;
use web::http::page::{List, Page};
use web::input::journal_filter;

use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};

/// The most names of changed fields in a line.
const MOST_FIELDS: usize = 8;

#[derive(Template)]
#[template(path = "journal.html")]
struct JournalPage {
    frame: Layout,
    rows: Vec<Entry>,
    next: Option<String>,
    is_first: bool,
    asked: Form,
    /// The number of the last entry.
    last: i64,
    /// Its hash, in hexadecimal.
    hash: String,
}

/// `GET /o/{slug}/journal`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(&[Scope::JournalRead])?;
    let asked = Form::of_query(request.query_text());
    let mut query = request.query();
    let page = Page::<i64>::read(&request.list_id(), &mut query);
    let filter = journal_filter::read(&mut query, &request.member.actor());
    query.finish()?;
    let (organization, is_first) = (request.id(), page.after.is_none());
    let mut tx = request.read().await?;
    let head = journal::head(&mut tx, organization).await?;
    let direction = Direction::Descending;
    let mut found = journal::page(&mut tx, organization, &filter, direction, page.after, page.limit).await?;
    store::incidents::hide_entries(&mut tx, organization, &request.viewer(), &mut found.rows).await?;
    let frame = Layout::of(&request, &mut tx, "Journal", Section::Journal).await?;
    let shown = List::of(&request.list_id(), found, None, |entry| entry.seq, |entry| entry);
    let (rows, next) = (shown.data, shown.next_cursor);
    let hash = head.hash.iter().map(|byte| format!("{byte:02x}")).collect();
    request.show(&JournalPage { frame, rows, next, is_first, asked, last: head.seq, hash })
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
            "incident" if IncidentNumber::parse(id).is_some() => "incidents",
            "risk" if RiskNumber::parse(id).is_some() => "risks",
            _ => return None,
        };
        Some((format!("{}/{folder}/{id}", self.frame.base), id.clone()))
    }

    /// The names of the fields that were changed.
    fn fields(&self, entry: &Entry) -> String {
        let payload = entry.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let Some(serde_json::Value::Object(fields)) = payload else { return String::new() };
        let names: Vec<String> = fields.keys().take(MOST_FIELDS).map(|name| self.words(name)).collect();
        let more = if fields.len() > MOST_FIELDS { ", …" } else { "" };
        names.join(", ") + more
    }

    fn next_page(&self, cursor: &str) -> String {
        self.asked.query_with("cursor", Some(cursor))
    }

    fn first_page(&self) -> String {
        self.asked.query_with("cursor", None)
    }
}

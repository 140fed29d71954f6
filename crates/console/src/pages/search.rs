//! `GET /o/{slug}/search`: where something is written.

use askama::Template;
use db::Tx;
use domain::Scope;
use domain::incident::Status;
use domain::search::{SearchKind, SearchQuery, Snippet};
use http::location;
use http::page::{List, Page};
use http::snippets::with_snippets;
use store::did_you_mean::Within;
use store::hits::{Hit, HitPosition};

use super::records::{Shown, by_number, number, readable};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::meant::Meant;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::texts;

const READ: &[Scope] =
    &[Scope::IncidentsRead, Scope::IncidentsDeclare, Scope::RisksRead, Scope::DocumentsRead];

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    frame: Layout,
    asked: Form,
    is_asked: bool,
    tabs: Vec<Tab>,
    hits: Vec<Hit>,
    /// Whom the titles are marked by.
    query: SearchQuery,
    meant: Option<Meant>,
    next: Option<String>,
    is_first: bool,
    seq: i64,
    /// How many entries of the journal the search does not know yet.
    behind: i64,
}

/// A kind of record, and how many of it were found.
struct Tab {
    name: String,
    query: String,
    count: i64,
    is_current: bool,
}

/// `GET /o/{slug}/search?q=…`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let asked = request.asked();
    let mut query = request.query();
    let page = Page::<HitPosition>::read(&request.list_id(), &mut query);
    let (found, kind) = (query.search(), query.word::<SearchKind>("kind"));
    query.finish()?;
    let (is_asked, query) = (found.is_some(), found.unwrap_or_default());
    let mut tx = request.read().await?;
    if let Some(address) = by_number(&request, &mut tx, asked.text("q").trim()).await? {
        return Ok(location::see_other(&address));
    }
    let (organization, viewer) = (request.id(), request.viewer());
    let readable = readable(&request);
    let kinds: Vec<SearchKind> =
        readable.iter().copied().filter(|it| kind.is_none_or(|kind| kind == *it)).collect();
    let what = (kinds.as_slice(), &query);
    let (is_first, after, limit) = (page.after.is_none(), page.after, page.limit);
    let hits = store::hits::hits(&mut tx, organization, &viewer, what, after, limit).await?;
    let is_empty = is_first && hits.rows.is_empty();
    let meant = Meant::find(&mut tx, &request, Within::Kinds(&kinds), is_empty).await?;
    let tabs = tabs(&mut tx, &request, &asked, (&readable, &query), kind).await?;
    let seq = store::search::progress(&mut tx, organization).await?;
    let behind = store::journal::head(&mut tx, organization).await?.seq - seq;
    let frame = Layout::of(&request, &mut tx, texts::SEARCH, Section::Go).await?;
    drop(tx);
    let hits = with_snippets(hits, query.clone()).await?;
    let shown = List::of(&request.list_id(), hits, None, Hit::position, |hit| hit);
    let (hits, next) = (shown.data, shown.next_cursor);
    request.show(&SearchPage {
        frame,
        asked,
        is_asked,
        tabs,
        hits,
        query,
        meant,
        next,
        is_first,
        seq,
        behind,
    })
}

async fn tabs(
    tx: &mut Tx,
    request: &PageRequest,
    asked: &Form,
    (readable, query): (&[SearchKind], &SearchQuery),
    chosen: Option<SearchKind>,
) -> Result<Vec<Tab>> {
    let asked = asked.clone().without(&["cursor"]);
    let mut tabs = Vec::new();
    for kind in readable {
        let what = (std::slice::from_ref(kind), query);
        let count = store::hits::count(tx, request.id(), &request.viewer(), what).await?;
        let query = asked.query_with("kind", Some(kind.as_str()));
        tabs.push(Tab {
            name: Shown::of(*kind).name.to_owned(),
            query,
            count,
            is_current: chosen == Some(*kind),
        });
    }
    let count = tabs.iter().map(|tab| tab.count).sum();
    let query = asked.query_with("kind", None);
    let all = Tab { name: texts::ALL_KINDS.to_owned(), query, count, is_current: chosen.is_none() };
    tabs.insert(0, all);
    Ok(tabs)
}

impl SearchPage {
    fn title(&self, hit: &Hit) -> Snippet {
        Snippet::whole(&hit.title, &self.query)
    }

    fn address(&self, hit: &Hit) -> String {
        format!("{}/{}/{}", self.frame.base, Shown::of(hit.kind).folder, hit.id)
    }

    fn icon(&self, hit: &Hit) -> &'static str {
        Shown::of(hit.kind).icon
    }

    fn number(&self, hit: &Hit) -> Option<String> {
        number(hit)
    }

    /// The status of an incident.
    fn status(&self, hit: &Hit) -> Option<Status> {
        (hit.kind == SearchKind::Incident).then(|| Status::parse(&hit.status)).flatten()
    }

    /// The status of another record, in words.
    fn status_text(&self, hit: &Hit) -> String {
        words::label_of(&hit.status)
    }

    fn next_page(&self, cursor: &str) -> String {
        self.asked.query_with("cursor", Some(cursor))
    }

    fn first_page(&self) -> String {
        self.asked.query_with("cursor", None)
    }
}

//! `GET /o/{slug}/documents`: the library.

use askama::Template;
use domain::Scope;
use domain::document::Document;
use http::page::{List, Page};
use http::query::{Parameter as _, People, Query, Time};
use store::did_you_mean::Within;
use store::documents::DocumentFilter;

use super::READ;
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::meant::Meant;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

#[derive(Template)]
#[template(path = "documents/list.html")]
struct ListPage {
    frame: Layout,
    /// What was searched for.
    asked: String,
    /// The search and the filters as the beginning of a query, for the next page and for all of it as a file.
    search: String,
    may_write: bool,
    rows: Vec<Document>,
    total: i64,
    next: Option<String>,
    is_first: bool,
    meant: Option<Meant>,
}

impl ListPage {
    /// The query of the documents whose review is late.
    fn overdue(&self) -> String {
        Form::of([("next_review_to", self.frame.clock.exact(&self.frame.clock.now()))]).query()
    }

    fn is_overdue(&self, it: &Document) -> bool {
        it.is_review_overdue(self.frame.clock.now())
    }
}

/// `GET /o/{slug}/documents`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let asked = request.asked().text("q").trim().to_owned();
    let mut query = request.query();
    let page = Page::<String>::read(&request.list_id(), &mut query);
    let filter = asked_for(&mut query, &request);
    query.finish()?;
    let (organization, is_first) = (request.id(), page.after.is_none());
    let mut tx = request.read().await?;
    let found =
        store::documents::list(&mut tx, organization, &filter, page.after.as_deref(), page.limit).await?;
    let is_empty = is_first && found.rows.is_empty();
    let meant = Meant::find(&mut tx, &request, Within::Documents(&filter), is_empty).await?;
    let total = store::documents::count(&mut tx, organization, &filter).await?;
    let frame = Layout::of(&request, &mut tx, texts::DOCUMENTS, Section::Documents).await?;
    let shown = List::of(&request.list_id(), found, None, |row| row.slug.clone(), |row| row);
    let search = request.asked().filled().without(&["cursor", "limit"]).query();
    let search = if search.is_empty() { search } else { format!("{search}&") };
    request.show(&ListPage {
        frame,
        asked,
        search,
        may_write: request.may(Scope::DocumentsWrite),
        rows: shown.data,
        total,
        next: shown.next_cursor,
        is_first,
        meant,
    })
}

/// The documents that are asked for.
pub(super) fn asked_for(query: &mut Query<'_>, request: &PageRequest) -> DocumentFilter {
    let owner = People::read(query, "owner");
    let (from, to) = (Time::read(query, "next_review_from"), Time::read(query, "next_review_to"));
    DocumentFilter {
        next_review: query.times(("next_review_from", from), ("next_review_to", to)),
        q: query.search(),
        status: query.words("status"),
        owner: query.people("owner", &owner, &request.member.actor()),
    }
}

//! `GET /o/{slug}/documents`: the library.

use askama::Template;
use domain::document::Document;
use store::documents::DocumentFilter;
use web::http::page::{List, Page};

use super::READ;
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

#[derive(Template)]
#[template(path = "documents/list.html")]
struct ListPage {
    frame: Layout,
    /// What was searched for.
    asked: String,
    /// The search as the beginning of a query, for the next page.
    search: String,
    rows: Vec<Document>,
    total: i64,
    next: Option<String>,
    is_first: bool,
}

/// `GET /o/{slug}/documents`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let asked = request.asked().text("q").trim().to_owned();
    let mut query = request.query();
    let page = Page::<String>::read(&request.list_id(), &mut query);
    let filter = DocumentFilter {
        q: query.search(),
        status: query.words("status"),
        owner: query.people("owner", &request.member.actor()),
    };
    query.finish()?;
    let (organization, is_first) = (request.id(), page.after.is_none());
    let mut tx = request.read().await?;
    let found =
        store::documents::list(&mut tx, organization, &filter, page.after.as_deref(), page.limit).await?;
    let total = store::documents::count(&mut tx, organization, &filter).await?;
    let frame = Layout::of(&request, &mut tx, texts::DOCUMENTS, Section::Documents).await?;
    let shown = List::of(&request.list_id(), found, None, |row| row.slug.clone(), |row| row);
    let search = match asked.is_empty() {
        true => String::new(),
        false => format!("{}&", Form::of([("q", asked.clone())]).query()),
    };
    request.show(&ListPage {
        frame,
        asked,
        search,
        rows: shown.data,
        total,
        next: shown.next_cursor,
        is_first,
    })
}

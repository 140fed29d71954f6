//! `/o/{slug}/tags`: the tags of the organization, and a new one.

use askama::Template;
use domain::Scope;
use domain::json;
use domain::tag::{DEFAULT_COLOR, NewTag, Tag};
use http::page::{List, Page};
use lists::export::Tags;

use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// What reading tags needs.
const READ: &[Scope] = &[Scope::TagsRead];

/// The members of a new tag, as the form has them.
const MEMBERS: &[(&str, As)] =
    &[("name", As::Text), ("color", As::TextOrNull), ("description", As::TextOrNull)];

#[derive(Template)]
#[template(path = "tags.html")]
struct TagsPage {
    frame: Layout,
    rows: Vec<Tag>,
    total: i64,
    next: Option<String>,
    is_first: bool,
    may_write: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/tags`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = tags_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `GET /o/{slug}/tags/export`: all tags as CSV.
pub(crate) async fn export(request: PageRequest) -> Result {
    request.require(READ)?;
    request.query().finish()?;
    Tags { organization: request.id(), names: Vec::new() }
        .file(&mut request.read().await?, &Tags::for_spreadsheet(request.spreadsheet()))
        .await
}

/// `POST /o/{slug}/tags`: adds a tag.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(&[Scope::TagsWrite])?;
    let form = request.form().await?;
    let to = request.to("/tags");
    let added = async {
        let new = form.read_as(MEMBERS, &request.clock, json::body::<NewTag>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::tags::create(tx, organization, author, &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let added = added.await;
    let again = async |problems| tags_page(&request, form, problems).await;
    request.answer(added, (texts::TAG_ADDED, false), again).await
}

async fn tags_page(request: &PageRequest, form: Form, problems: Problems) -> Result<TagsPage> {
    request.require(READ)?;
    let mut query = request.query();
    let page = Page::<String>::read(&request.list_id(), &mut query);
    query.finish()?;
    let is_first = page.after.is_none();
    let mut tx = request.read().await?;
    let found = store::tags::list(&mut tx, request.id(), &[], page.after.as_deref(), page.limit).await?;
    let total = store::tags::count(&mut tx, request.id(), &[]).await?;
    let frame = Layout::of(request, &mut tx, texts::TAGS, Section::Tags).await?;
    let position = |tag: &Tag| tag.name.clone();
    let shown = List::of(&request.list_id(), found, None, position, |row| row);
    let (rows, next, may_write) = (shown.data, shown.next_cursor, request.may(Scope::TagsWrite));
    Ok(TagsPage { frame, rows, total, next, is_first, may_write, form, problems })
}

impl TagsPage {
    /// The colour of the new tag, as it is chosen.
    fn color(&self) -> &str {
        if self.form.has("color") { self.form.text("color") } else { DEFAULT_COLOR }
    }
}

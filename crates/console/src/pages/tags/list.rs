//! `/o/{slug}/tags`: the tags of the organization, and a new one.

use std::collections::HashMap;

use askama::Template;
use domain::incident::Incident;
use domain::risk::Risk;
use domain::tag::{DEFAULT_COLOR, NewTag, Tag};
use domain::{Scope, json};
use http::page::{List, Page};
use lists::export::Tags;
use store::documents::DocumentFilter;
use store::facets::{Facets, MOST_VALUES};
use store::incidents::StatusFacet;
use store::listed::Listed;

use super::{MEMBERS, READ, WRITE};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

#[derive(Template)]
#[template(path = "tags/list.html")]
struct TagsPage {
    frame: Layout,
    rows: Vec<Tag>,
    incidents: Uses,
    risks: Uses,
    documents: Uses,
    total: i64,
    next: Option<String>,
    is_first: bool,
    may_write: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/tags`
pub(super) async fn page(request: PageRequest) -> Result {
    let page = tags_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `GET /o/{slug}/tags/export`: all tags as CSV.
pub(super) async fn export(request: PageRequest) -> Result {
    request.require(READ)?;
    request.query().finish()?;
    Tags { organization: request.id(), names: Vec::new() }
        .file(&mut request.read().await?, &Tags::for_spreadsheet(request.spreadsheet()))
        .await
}

/// `POST /o/{slug}/tags`: adds a tag.
pub(super) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
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
    let incidents = uses::<Incident>(request, &mut tx, frame.open_incidents.is_some()).await?;
    let risks = uses::<Risk>(request, &mut tx, frame.open_risks.is_some()).await?;
    let documents = match request.may(Scope::DocumentsRead) {
        true => Uses::of(store::documents::facets(&mut tx, request.id(), &DocumentFilter::default()).await?),
        false => Uses::default(),
    };
    let position = |tag: &Tag| tag.name.clone();
    let shown = List::of(&request.list_id(), found, None, position, |row| row);
    let (rows, next, may_write) = (shown.data, shown.next_cursor, request.may(Scope::TagsWrite));
    Ok(TagsPage {
        frame,
        rows,
        incidents,
        risks,
        documents,
        total,
        next,
        is_first,
        may_write,
        form,
        problems,
    })
}

/// How many records of a kind have each tag.
#[derive(Default)]
struct Uses {
    counts: HashMap<String, i64>,
    /// Whether the person may see them.
    is_shown: bool,
}

async fn uses<R: Listed>(request: &PageRequest, tx: &mut db::Tx, is_shown: bool) -> Result<Uses>
where
    R::Filter: Default,
{
    if !is_shown {
        return Ok(Uses::default());
    }
    let (viewer, filter) = (request.viewer(), R::Filter::default());
    Ok(Uses::of(R::FACETS(tx, request.id(), &viewer, &filter, StatusFacet::WithoutStatus).await?))
}

impl Uses {
    /// What the facets of the records count.
    fn of(found: Facets) -> Self {
        let tags = found.facets.into_iter().filter(|(name, _)| *name == "tag").flat_map(|(_, counts)| counts);
        Self { counts: tags.filter_map(|it| Some((it.value?, it.count))).collect(), is_shown: true }
    }

    /// How many have the tag, unless that is not known, because many others are more frequent.
    fn text(&self, tag: &Tag) -> String {
        let count = self.counts.get(&tag.id.to_string());
        count.map_or_else(|| texts::SOME.to_owned(), ToString::to_string)
    }

    /// Whether none has it.
    fn is_unused(&self, tag: &Tag) -> bool {
        let is_known = i64::try_from(self.counts.len()).is_ok_and(|count| count < MOST_VALUES);
        is_known && !self.counts.contains_key(&tag.id.to_string())
    }
}

impl TagsPage {
    /// The colour of the new tag, as it is chosen.
    fn color(&self) -> &str {
        if self.form.has("color") { self.form.text("color") } else { DEFAULT_COLOR }
    }
}

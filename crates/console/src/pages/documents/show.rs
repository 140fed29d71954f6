//! `GET /o/{slug}/documents/{document}`: the document as it reads, with what is proposed for each place.

use std::collections::HashMap;

use askama::Template;
use db::Tx;
use domain::document::{DocumentWithItems, ItemKind, PlacedItem, RecordedEdit, SelectOption};
use domain::{ResourceKind, Scope};
use store::links::{LinkEnd, LinkQuery, LinkReader, Linked};
use store::list::TimeRange;

use super::READ;
use super::printed::{printed, usual};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;

/// So many edits of the open proposal, and so many links, are read.
const MOST: i64 = 1_000;

#[derive(Template)]
#[template(path = "documents/show.html")]
pub(super) struct ShowPage {
    frame: Layout,
    it: DocumentWithItems,
    /// The text of the template with what is proposed, published or usual for each item.
    text: Option<String>,
    /// What is proposed for an item: the latest edit.
    proposed: HashMap<String, RecordedEdit>,
    links: Vec<Linked>,
    may_write: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = show_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// The slug in the path.
pub(super) fn slug(request: &PageRequest) -> Result<String> {
    request.path(0, ResourceKind::Document, |text| Some(text.to_owned()))
}

/// The page of the document in the path, with a form that was refused.
pub(super) async fn show_page(request: &PageRequest, form: Form, problems: Problems) -> Result<ShowPage> {
    request.require(READ)?;
    let (slug, organization) = (slug(request)?, request.id());
    let mut tx = request.read().await?;
    let it = store::documents::get(&mut tx, organization, &slug).await?;
    let proposed = match it.document.open_proposal {
        Some(number) => proposed(request, &mut tx, &slug, number).await?,
        None => HashMap::new(),
    };
    let reader = LinkReader::new(request.viewer(), request.permissions().scopes());
    let query =
        LinkQuery { end: LinkEnd::Document(slug.clone()), detected: TimeRange::default(), after: None };
    let links = store::links::list(&mut tx, organization, &reader, &query, MOST).await?.rows;
    let frame = Layout::of(request, &mut tx, it.document.title.clone(), Section::Documents).await?;
    let is_archived = it.document.status == domain::document::DocumentStatus::Archived;
    let may_write = request.may(Scope::DocumentsWrite) && !is_archived;
    let text = text(&it, &proposed);
    Ok(ShowPage { frame, it, text, proposed, links, may_write, form, problems })
}

fn text(it: &DocumentWithItems, proposed: &HashMap<String, RecordedEdit>) -> Option<String> {
    let value = |placed: &'_ PlacedItem| {
        let edit = proposed.get(&placed.item.id).map(|edit| edit.value.clone());
        edit.or_else(|| placed.value.clone()).or_else(|| usual(&placed.item).map(str::to_owned))
    };
    let values: HashMap<&str, String> =
        it.items.iter().filter_map(|placed| Some((placed.item.id.as_str(), value(placed)?))).collect();
    printed(&it.as_new(), values.iter().map(|(id, value)| (*id, value.as_str())).collect())
}

/// The latest edit of each item.
async fn proposed(
    request: &PageRequest,
    tx: &mut Tx,
    slug: &str,
    number: i64,
) -> Result<HashMap<String, RecordedEdit>> {
    let edits = store::proposals::list_edits(tx, request.id(), slug, number, None, MOST).await?;
    let mut latest: HashMap<String, RecordedEdit> = HashMap::new();
    for (edit, _) in edits.rows {
        let is_later = latest.get(&edit.node_id).is_none_or(|known| known.set_date <= edit.set_date);
        if is_later {
            latest.insert(edit.node_id.clone(), edit);
        }
    }
    Ok(latest)
}

impl ShowPage {
    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/documents/{}", self.frame.base, self.it.document.slug)
    }

    /// What an item says now, in words: the published value.
    fn says(&self, placed: &PlacedItem) -> Option<String> {
        placed.value.as_deref().filter(|value| !value.is_empty()).map(|value| words(placed, value))
    }

    /// What is proposed for it, if that differs.
    fn proposal(&self, placed: &PlacedItem) -> Option<String> {
        let edit = self.proposed.get(&placed.item.id)?;
        (placed.value.as_deref() != Some(&edit.value)).then(|| words(placed, &edit.value))
    }

    /// What the form of an item shows: what was sent, what is proposed, what is published, or what is usual.
    fn filled(&self, placed: &PlacedItem) -> String {
        if self.form.is("item", &placed.item.id) {
            return self.form.text("value").to_owned();
        }
        let proposed = self.proposed.get(&placed.item.id).map(|edit| edit.value.clone());
        let known = proposed.or_else(|| placed.value.clone());
        known.unwrap_or_else(|| usual(&placed.item).unwrap_or_default().to_owned())
    }

    /// The options of an item that is chosen; none of a text.
    fn options<'i>(&self, placed: &'i PlacedItem) -> &'i [SelectOption] {
        match &placed.item.kind {
            ItemKind::Select { options, .. } => options,
            ItemKind::Text { .. } => &[],
        }
    }

    fn is_refused(&self, placed: &PlacedItem) -> bool {
        self.form.is("item", &placed.item.id)
    }
}

/// The value of an item as it reads in the text.
pub(super) fn words(placed: &PlacedItem, value: &str) -> String {
    match &placed.item.kind {
        ItemKind::Select { options, .. } => {
            let option = options.iter().find(|option| option.id == value);
            option.map_or_else(|| value.to_owned(), |option| option.text.clone())
        }
        ItemKind::Text { .. } => value.to_owned(),
    }
}

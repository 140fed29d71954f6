//! `GET /o/{slug}/documents/{document}`: the document as it reads, with what is proposed for each place.

use std::borrow::Cow;
use std::collections::HashMap;

use askama::Template;
use db::Tx;
use domain::decision::DecisionState;
use domain::document::{
    Document, DocumentReview, DocumentWithItems, ItemKind, PlacedItem, PublishedText, RecordedEdit,
    SelectOption, in_force, library,
};
use domain::tag::Tag;
use domain::{OrgId, ResourceKind, Scope};
use lists::approval_record::approvers;
use store::View;
use store::exceptions::{ExceptionDetails, ExceptionFilter};
use store::links::{LinkEnd, LinkQuery, LinkReader, Linked};
use store::list::TimeRange;

use super::READ;
use super::controls::{self, ShownControl};
use super::printed::{Proposed, words};
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;

/// So many edits of the open proposal, and so many links, are read.
const MOST: i64 = 1_000;

/// A document with more items has the form of one of them at a time, because the page would become too large.
const FORMS: usize = 40;

/// So many reviews, and so many exceptions, are shown.
const REVIEWS: i64 = 5;

#[derive(Template)]
#[template(path = "documents/show.html")]
pub(super) struct ShowPage {
    frame: Layout,
    it: DocumentWithItems,
    /// The version that is in force; before the first one is, the latest.
    version: Option<PublishedText>,
    /// Who approved it.
    approvers: String,
    /// A later version, and the day from which it holds.
    later: Option<(i64, String)>,
    versions: i64,
    /// The latest reviews.
    reviews: Vec<DocumentReview>,
    /// The text of a draft, with what is proposed for each item, or its default.
    text: Option<String>,
    /// What is proposed for an item: the latest edit.
    proposed: HashMap<String, RecordedEdit>,
    /// The item whose form is open.
    chosen: Option<String>,
    /// What the text says with the value of the form, if that asks for it.
    result: Option<String>,
    /// Why it does not take that value.
    refused: Option<String>,
    links: Vec<Linked>,
    /// The exceptions to it that have not ended, and the open requests.
    exceptions: Vec<ExceptionDetails>,
    /// The controls of its items that concern risks.
    controls: Vec<ShownControl>,
    /// Whether the library has a newer text.
    has_offer: bool,
    /// The tags that it does not have.
    tags: Vec<Tag>,
    /// Whether the person may change documents.
    may_change: bool,
    /// Whether the person may change this one, which is not archived.
    may_write: bool,
    /// Whether the person may delete it for good.
    may_delete: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let mut query = request.query();
    let chosen = query.text("item").map(Cow::into_owned);
    query.finish()?;
    let mut page = show_page(&request, Form::default(), Problems::default()).await?;
    page.chosen = chosen;
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
    let mut it = store::documents::read(&mut tx, organization, &slug).await?;
    let mut proposed = HashMap::new();
    if let Some(number) = it.document.open_proposal {
        proposed = self::proposed(request, &mut tx, &slug, number).await?;
        let DocumentWithItems { template, items, .. } =
            store::proposals::proposed(&mut tx, organization, &it, number).await?;
        it = DocumentWithItems { template, items, ..it };
    }
    let reader = LinkReader::new(request.viewer(), request.permissions().scopes());
    let query =
        LinkQuery { end: LinkEnd::Document(slug.clone()), detected: TimeRange::default(), after: None };
    let links = store::links::list(&mut tx, organization, &reader, &query, MOST).await?.rows;
    let controls = controls::of_items(request, &mut tx, &it.items).await?;
    let frame = Layout::of(request, &mut tx, it.document.title.clone(), Section::Documents).await?;
    let may_change = request.may(Scope::DocumentsWrite);
    let may_write = may_change && it.document.archived_date.is_none();
    let may_delete = may_change
        && it.document.check_deletion(false).is_ok()
        && !store::proposals::are_worked_on(&mut tx, organization, &slug, &request.author().actor).await?;
    let has_offer = it.document.offered(library()).is_some();
    let (version, later) = versions(request, &mut tx, &it.document).await?;
    let approvers = approvers_of(&mut tx, organization, version.as_ref()).await?;
    let reviews = match version {
        Some(_) => store::documents::reviews(&mut tx, organization, &slug, None, REVIEWS).await?.rows,
        None => Vec::new(),
    };
    let exceptions = exceptions_in(&mut tx, organization, &slug, &DecisionState::OPEN, REVIEWS).await?;
    let count = store::documents::count_versions(&mut tx, organization, &slug).await?;
    let tags = match may_write {
        true => store::tags::list(&mut tx, organization, &[], None, MOST_CHOICES).await?.rows,
        false => Vec::new(),
    };
    let tags = tags.into_iter().filter(|tag| !it.document.tags.iter().any(|on| on.id == tag.id)).collect();
    drop(tx);
    let chosen = Some(form.text("item").to_owned()).filter(|item| !item.is_empty());
    let Proposed { it, edits: proposed, form, text, result, refused } =
        Proposed::print(it, proposed, form, version.is_none()).await?;
    let page = ShowPage {
        frame,
        it,
        version,
        approvers,
        later,
        versions: count,
        reviews,
        text,
        proposed,
        chosen,
        result,
        refused,
        links,
        exceptions,
        controls,
        has_offer,
        tags,
        may_change,
        may_write,
        may_delete,
        form,
        problems,
    };
    Ok(page)
}

/// Up to `limit` exceptions to a document that are in these states.
pub(super) async fn exceptions_in(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    states: &[DecisionState],
    limit: i64,
) -> Result<Vec<ExceptionDetails>> {
    let (document, state) = (Some(slug.to_owned()), states.to_vec());
    let filter = ExceptionFilter { document, state, ..ExceptionFilter::default() };
    Ok(store::exceptions::list(tx, organization, View::now(), &filter, None, limit).await?.rows)
}

/// Who approved a version.
async fn approvers_of(tx: &mut Tx, organization: OrgId, it: Option<&PublishedText>) -> Result<String> {
    let Some(PublishedText { version, .. }) = it else { return Ok(String::new()) };
    let proposals = store::proposals::with_approvals(tx, organization, &[version.proposal]).await?;
    Ok(approvers(version, proposals.get(&version.proposal)))
}

/// The version that is shown, and a later one.
async fn versions(
    request: &PageRequest,
    tx: &mut Tx,
    document: &Document,
) -> Result<(Option<PublishedText>, Option<(i64, String)>)> {
    let Some(latest) = document.published_version else { return Ok((None, None)) };
    let (organization, slug) = (request.id(), &document.slug);
    let in_force = store::documents::in_force(tx, organization, slug, request.clock.now()).await?;
    if in_force.as_ref().is_some_and(|it| it.version.number == latest) {
        return Ok((in_force, None));
    }
    let latest = store::documents::version(tx, organization, slug, latest).await?;
    let later = (latest.version.number, request.clock.date(&latest.version.effective_date));
    Ok((Some(in_force.unwrap_or(latest)), Some(later)))
}

/// The edit of each item that counts.
async fn proposed(
    request: &PageRequest,
    tx: &mut Tx,
    slug: &str,
    number: i64,
) -> Result<HashMap<String, RecordedEdit>> {
    let edits = store::proposals::list_edits(tx, request.id(), slug, number, None, MOST).await?;
    Ok(in_force(&edits.rows).into_iter().map(|(item, edit)| (item.to_owned(), edit.clone())).collect())
}

impl ShowPage {
    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/documents/{}", self.frame.base, self.it.document.slug)
    }

    /// Whether the items are shown with their values: to those who change them, and where no text prints them.
    fn shows_sections(&self) -> bool {
        self.may_write || self.version.is_none() && self.text.is_none()
    }

    /// Whether the text in force is shown beside the items: without a template the items are the text, unless a later version
    /// has other values.
    fn shows_text(&self) -> bool {
        let is_all = self.it.template.is_none() && self.shows_sections() && self.later.is_none();
        self.version.is_some() && !is_all
    }

    /// Whether this is the version that is not in force yet.
    fn is_later(&self, it: &PublishedText) -> bool {
        self.later.as_ref().is_some_and(|(number, _)| *number == it.version.number)
    }

    /// Whether the next review is late.
    fn is_overdue(&self) -> bool {
        self.it.document.is_review_overdue(self.frame.clock.now())
    }

    /// The part of the document that is shown.
    fn tab(&self) -> &'static str {
        "read"
    }

    /// The published value of an item, or in a draft the default.
    fn value<'i>(&self, placed: &'i PlacedItem) -> Option<&'i str> {
        placed.value.as_deref().or_else(|| placed.item.default_value().filter(|_| self.version.is_none()))
    }

    /// What an item says now, in words.
    fn says(&self, placed: &PlacedItem) -> Option<String> {
        self.value(placed).filter(|value| !value.is_empty()).map(|value| words(placed, value))
    }

    /// What is proposed for it, if that differs.
    fn proposal(&self, placed: &PlacedItem) -> Option<String> {
        let edit = self.proposed.get(&placed.item.id)?;
        (self.value(placed) != Some(&edit.value)).then(|| words(placed, &edit.value))
    }

    /// What the form of an item shows: what was sent, what is proposed, what is published, or the default.
    fn filled(&self, placed: &PlacedItem) -> String {
        if self.form.is("item", &placed.item.id) {
            return self.form.text("value").to_owned();
        }
        let proposed = self.proposed.get(&placed.item.id).map(|edit| edit.value.clone());
        let known = proposed.or_else(|| placed.value.clone());
        known.unwrap_or_else(|| placed.item.default_value().unwrap_or_default().to_owned())
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

    /// Whether the form of an item is open.
    fn is_chosen(&self, placed: &PlacedItem) -> bool {
        self.chosen.as_ref() == Some(&placed.item.id)
    }

    /// What helps to choose. In a long document it stands beside the form.
    fn guidance<'i>(&self, placed: &'i PlacedItem) -> Option<&'i str> {
        placed.item.guidance.as_deref().filter(|_| !self.may_write || self.has_form(placed))
    }

    /// Whether an item is shown with its value. In a long document the text above has it.
    fn shows_value(&self, placed: &PlacedItem) -> bool {
        let is_printed = self.shows_text() || self.text.is_some();
        !is_printed || self.has_form(placed) || self.proposal(placed).is_some()
    }

    /// Whether an item has its form on this page.
    fn has_form(&self, placed: &PlacedItem) -> bool {
        self.it.items.len() <= FORMS || self.is_chosen(placed)
    }
}

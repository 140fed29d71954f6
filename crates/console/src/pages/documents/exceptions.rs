//! `/o/{slug}/documents/{document}/exceptions`: the exceptions to a document, and asking for one; `/o/{slug}/exceptions`: all of them.

use askama::Template;
use db::Tx;
use domain::decision::DecisionState;
use domain::document::{Document, DocumentStatus, PlacedItem};
use domain::exception::NewException;
use domain::{Author, OrgId, Scope};
use http::page::{List, Page};
use store::View;
use store::exceptions::{ExceptionDetails, ExceptionFilter, ExceptionPosition};

use super::show::{exceptions_in, slug};
use super::{READ, WRITE};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const REQUEST: &[(&str, As)] = &[
    ("node_id", As::TextOrNull),
    ("title", As::Text),
    ("reason", As::Text),
    ("plan", As::Text),
    ("until", As::Text),
    ("risk", As::TextOrNull),
    ("replaces", As::Integer),
];

/// So many are offered to take their place.
const LIVE: i64 = 200;

#[derive(Template)]
#[template(path = "documents/exceptions.html")]
struct ExceptionsPage {
    frame: Layout,
    /// The document and its items, on the page of one document.
    of: Option<(Document, Vec<PlacedItem>)>,
    rows: Vec<ExceptionDetails>,
    next: Option<String>,
    /// The exceptions whose place a new one can take.
    live: Vec<ExceptionDetails>,
    /// The query of the page, without its cursor.
    search: String,
    is_first: bool,
    may_write: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/exceptions`
pub(crate) async fn all(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut tx = request.read().await?;
    let frame = Layout::of(&request, &mut tx, texts::EXCEPTIONS, Section::Documents).await?;
    let page = rows(&request, &mut tx, frame, None).await?;
    request.show(&page)
}

/// `GET /o/{slug}/documents/{document}/exceptions`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = exceptions_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/{document}/exceptions`: asks for one.
pub(crate) async fn ask(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let slug = slug(&request)?;
    let to = request.to(&format!("/documents/{slug}/exceptions"));
    let asked = async {
        let now = request.clock.now();
        let new =
            form.read_as(REQUEST, &request.clock, |body, faults| NewException::read(body, now, faults))?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::exceptions::ask(tx, organization, author, &slug, &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let asked = asked.await;
    let again = async |problems| exceptions_page(&request, form, problems).await;
    request.answer(asked, (texts::EXCEPTION_REQUESTED, false), again).await
}

async fn exceptions_page(request: &PageRequest, form: Form, problems: Problems) -> Result<ExceptionsPage> {
    request.require(READ)?;
    let slug = slug(request)?;
    let mut tx = request.read().await?;
    let it = store::documents::get(&mut tx, request.id(), &slug).await?;
    let title = texts::exceptions_to(&it.document.title);
    let frame = Layout::of(request, &mut tx, title, Section::Documents).await?;
    let page = rows(request, &mut tx, frame, Some((it.document, it.items))).await?;
    Ok(ExceptionsPage { form, problems, ..page })
}

/// A page of the exceptions to a document, or to all of them.
async fn rows(
    request: &PageRequest,
    tx: &mut Tx,
    frame: Layout,
    of: Option<(Document, Vec<PlacedItem>)>,
) -> Result<ExceptionsPage> {
    let mut query = request.query();
    let page = Page::<ExceptionPosition>::read(&request.list_id(), &mut query);
    let state = query.words("state");
    query.finish()?;
    let document = of.as_ref().map(|(document, _)| document.slug.clone());
    let filter = ExceptionFilter { document, state, ..ExceptionFilter::default() };
    let after = page.after.as_ref();
    let found = store::exceptions::list(tx, request.id(), View::now(), &filter, after, page.limit).await?;
    let live = match filter.document {
        Some(document) => {
            let states = [DecisionState::Accepted, DecisionState::Stale];
            exceptions_in(tx, request.id(), &document, &states, LIVE).await?
        }
        None => Vec::new(),
    };
    let position = |row: &ExceptionDetails| {
        let decision = &row.exception.decision;
        (decision.until.to_string(), decision.seq)
    };
    let List { data: rows, next_cursor: next, .. } =
        List::of(&request.list_id(), found, None, position, |row| row);
    let (is_first, may_write) = (page.after.is_none(), request.may(Scope::DocumentsWrite));
    let (form, problems) = (Form::default(), Problems::default());
    let search = request.asked().filled().without(&["cursor", "limit"]).query();
    Ok(ExceptionsPage { frame, of, rows, next, live, search, is_first, may_write, form, problems })
}

impl ExceptionsPage {
    /// Why nobody can ask for one now.
    fn cannot(&self) -> Option<&'static str> {
        let (document, _) = self.of.as_ref()?;
        match document.status {
            DocumentStatus::Archived => Some(texts::DOCUMENT_IS_ARCHIVED),
            _ if document.published_version.is_none() => Some(texts::DOCUMENT_NOT_PUBLISHED),
            _ => None,
        }
    }

    /// Whether it does not hold any more because the document was changed.
    fn is_stale(&self, it: &ExceptionDetails) -> bool {
        it.state == DecisionState::Stale
    }
}

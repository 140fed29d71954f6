//! `/o/{slug}/documents/{document}/edit`: the text of a document with its sections and properties, for the open proposal.

use std::collections::HashMap;

use askama::Template;
use db::Tx;
use domain::document::{
    Classification, DocumentWithItems, Item, ItemKind, Proposal, ProposalOpening, ProposalPatch,
    TemplateFault, file, template_faults,
};
use domain::json::{Pointer, body};
use domain::{Author, ExpectedVersion, Faults, OrgId};
use http::Error;

use super::WRITE;
use super::printed::{printed, usual};
use super::show::slug;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const FIELDS: &[(&str, As)] = &[
    ("title", As::Text),
    ("reference", As::TextOrNull),
    ("classification", As::Text),
    ("audience", As::Text),
    ("language", As::Text),
    ("template", As::TextOrNull),
];

#[derive(Template)]
#[template(path = "documents/edit.html")]
struct EditPage {
    frame: Layout,
    /// The document as it is proposed.
    it: DocumentWithItems,
    versions: i64,
    /// What the form changes: the version of the open proposal; none if saving opens one.
    version: Option<i64>,
    form: Form,
    problems: Problems,
    /// What is wrong in the text, each with its line.
    faults: Vec<(TemplateFault, String)>,
    /// The text as it would be printed.
    preview: Option<String>,
}

impl EditPage {
    /// The address of the document.
    fn here(&self) -> String {
        format!("{}/documents/{}", self.frame.base, self.it.document.slug)
    }

    /// The part of the document that is shown: none.
    fn tab(&self) -> &'static str {
        ""
    }

    /// The place of an item in the text.
    fn place(&self, item: &Item) -> String {
        format!("{{{{{}}}}}", item.id)
    }

    fn classifications(&self) -> &'static [Classification] {
        Classification::ALL
    }

    /// The ids of an item's options; none of a text.
    fn options(&self, item: &Item) -> Option<String> {
        let ItemKind::Select { options, .. } = &item.kind else { return None };
        Some(options.iter().map(|option| option.id.as_str()).collect::<Vec<_>>().join(", "))
    }
}

/// `GET /o/{slug}/documents/{document}/edit`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = edit_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/{document}/edit`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let slug = slug(&request)?;
    let form = request.form().await?;
    if form.has("preview") {
        let page = edit_page(&request, Some(form), Problems::default()).await?;
        return request.show(&page);
    }
    let base = request.to(&format!("/documents/{slug}/proposals"));
    let saved = async {
        let patch = read(&form, &request)?;
        let (proposal, expected) = (form.text("proposal").parse::<i64>().ok(), form.expected());
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            let (number, expected) = match proposal {
                Some(number) => (number, &expected),
                None => {
                    let opening = ProposalOpening::default();
                    let opened = store::proposals::open(tx, organization, author, &slug, opening).await?;
                    (opened.number, &ExpectedVersion::Any)
                }
            };
            let which = (slug.as_str(), number);
            let changed = store::proposals::change(tx, organization, author, which, expected, &patch).await?;
            let is_changed = changed.updated_date == tx.at();
            Ok((changed, is_changed))
        };
        let next = move |(proposal, is_changed): (Proposal, bool)| {
            Next::after(is_changed, format!("{base}/{}", proposal.number))
        };
        request.write(&form, change, next).await
    };
    let saved = saved.await;
    let again = async |problems| edit_page(&request, Some(form), problems).await;
    request.answer(saved, (texts::CHANGE_PROPOSED, false), again).await
}

/// The page, with the fields of a form that was sent, or of the document as it is proposed.
async fn edit_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(WRITE)?;
    let (slug, organization) = (slug(request)?, request.id());
    let mut tx = request.read().await?;
    let document = store::documents::get(&mut tx, organization, &slug).await?;
    let (it, version, values) = match document.document.open_proposal {
        Some(number) => {
            let draft = store::proposals::draft(&mut tx, organization, &slug, number, None).await?;
            (draft.document, Some(draft.proposal.version), draft.values)
        }
        None => (document, None, HashMap::new()),
    };
    let versions = store::documents::count_versions(&mut tx, organization, &slug).await?;
    let frame = Layout::of(request, &mut tx, texts::edit_of(&it.document.title), Section::Documents).await?;
    drop(tx);
    let label = |name: &str| (name == "template").then_some("Text");
    let mut page = EditPage {
        frame,
        versions,
        version,
        form: sent.clone().unwrap_or_else(|| fields(&it)),
        it,
        problems: problems.labelled(label, &request.clock),
        faults: Vec::new(),
        preview: None,
    };
    let Some(form) = sent else { return Ok(page) };
    match proposed(&form, request, &page.it) {
        Ok(proposed) if form.has("preview") => page.preview = Some(preview(&proposed, &values)),
        Ok(_) => {}
        Err(error) => {
            page.problems = if page.problems.is_empty() {
                request.problems(error)?.labelled(label, &request.clock)
            } else {
                page.problems
            };
            page.faults = faults(&form, &page.it);
        }
    }
    Ok(page)
}

/// The fields of the form for a document as it is proposed.
fn fields(it: &DocumentWithItems) -> Form {
    let document = &it.document;
    let items: Vec<_> = it.items.iter().map(|placed| placed.item.clone()).collect();
    Form::of([
        ("title", document.title.to_string()),
        ("reference", document.reference.as_deref().unwrap_or_default().to_owned()),
        ("classification", document.classification.to_string()),
        ("audience", document.audience.to_string()),
        ("language", document.language.to_string()),
        ("template", it.template.as_deref().unwrap_or_default().to_owned()),
        ("items", file::write_items(&items)),
    ])
}

/// What the form changes.
fn read(form: &Form, request: &PageRequest) -> Result<ProposalPatch, Error> {
    let patch = form.read_as(FIELDS, &request.clock, body::<ProposalPatch>)?;
    Ok(ProposalPatch { items: items(form)?, ..patch })
}

/// The items in the form; faults of them are at their field.
fn items(form: &Form) -> Result<Option<Vec<Item>>, Error> {
    let mut faults = Faults::new();
    let items = file::read_items(form.text("items"), Pointer::ROOT, &mut faults);
    let mut at_field = Faults::new();
    for fault in faults {
        at_field.add("#/items", fault.code, fault.sentence());
    }
    at_field.or(items).map_err(Error::Domain)
}

/// The document as it would be proposed. Whether its risks are there is checked when it is saved.
fn proposed(form: &Form, request: &PageRequest, it: &DocumentWithItems) -> Result<DocumentWithItems, Error> {
    let patch = read(form, request)?;
    let risks = patch.items.iter().flatten().flat_map(|item| item.risks.clone()).collect();
    let proposed = patch.apply(it, &risks).map_err(Error::Domain)?;
    Ok(proposed.unwrap_or_else(|| it.clone()))
}

/// The text with the values of the proposal, else what is usual for each item.
fn preview(it: &DocumentWithItems, values: &HashMap<String, String>) -> String {
    let value = |item: &'_ Item| values.get(&item.id).cloned().or_else(|| usual(item).map(str::to_owned));
    let filled: Vec<(&str, String)> = it
        .items
        .iter()
        .filter_map(|placed| {
            Some((placed.item.id.as_str(), placed.value.clone().or_else(|| value(&placed.item))?))
        })
        .collect();
    let values = filled.iter().map(|(id, value)| (*id, value.as_str())).collect();
    printed(&it.as_new(), values).unwrap_or_default()
}

/// What is wrong in the text of the form, each with its line.
fn faults(form: &Form, it: &DocumentWithItems) -> Vec<(TemplateFault, String)> {
    let text = form.text("template");
    let known = || it.items.iter().map(|placed| placed.item.clone()).collect();
    let items = items(form).ok().flatten().unwrap_or_else(known);
    let line = |fault: &TemplateFault| text.lines().nth(fault.line - 1).unwrap_or_default().to_owned();
    template_faults(text, &items).into_iter().map(|fault| (fault.clone(), line(&fault))).collect()
}

//! `/o/{slug}/documents/{document}/edit`: the text of a document with its sections and properties, for the open proposal.

use std::collections::HashMap;

use askama::Template;
use db::Tx;
use domain::document::{
    Classification, DocumentWithItems, Item, PlacedItem, ProposalOpening, ProposalPatch, check_printed, file,
};
use domain::json::{Pointer, body};
use domain::{Author, Error as E, ExpectedVersion, Faults, OrgId};
use http::Error;

use super::WRITE;
use super::printed::printed_or_listed;
use super::show::slug;
use super::written::Written;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
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
    form: Form,
    problems: Problems,
    written: Written,
}

impl EditPage {
    /// The address of the document.
    fn here(&self) -> String {
        format!("{}/documents/{}", self.frame.base, self.it.document.slug)
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }

    /// The part of the document that is shown: none.
    fn tab(&self) -> &'static str {
        ""
    }

    fn classifications(&self) -> &'static [Classification] {
        Classification::ALL
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
    let sent = request.form().await?;
    if sent.has("preview") {
        let page = edit_page(&request, Some(sent), Problems::default()).await?;
        return request.show(&page);
    }
    let (request, sent, slug) = (&request, &sent, slug.as_str());
    let current = || async move {
        let Proposed { it, version, .. } =
            Proposed::read(&mut request.read().await?, request.id(), slug).await?;
        Ok(fields(&it, version))
    };
    let write = |form: Form| async move {
        let here = request.to(&format!("/documents/{slug}"));
        let shown = (form.text("proposal").parse::<i64>().ok(), form.expected());
        let (patch, slug) = (read(&form, request)?, slug.to_owned());
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            save_in_proposal(tx, organization, author, &slug, &shown, &patch).await
        };
        let next = move |changed: Option<i64>| match changed {
            Some(number) => Next::after(true, format!("{here}/proposals/{number}")),
            None => Next::after(false, here.clone()),
        };
        request.write(sent, change, next).await
    };
    let (saved, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| edit_page(request, Some(form), problems).await;
    request.answer(saved, (texts::CHANGE_PROPOSED, false), again).await
}

/// Changes the proposal that a form was shown for, or opens one. Returns its number if something was changed.
async fn save_in_proposal(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    (proposal, expected): &(Option<i64>, ExpectedVersion),
    patch: &ProposalPatch,
) -> store::Result<Option<i64>> {
    if *patch == ProposalPatch::default() {
        return Ok(None);
    }
    let document = store::documents::get(tx, organization, slug).await?.document;
    if document.open_proposal != *proposal {
        return Err(E::Outdated { current: None }.into());
    }
    let (number, expected) = match proposal {
        Some(number) => (*number, expected),
        None => {
            expected.check(document.version)?;
            let opening = ProposalOpening::default();
            let opened = store::proposals::open(tx, organization, author, slug, opening).await?;
            (opened.number, &ExpectedVersion::Any)
        }
    };
    let which = (slug, number);
    let changed = store::proposals::change(tx, organization, author, which, expected, patch).await?;
    Ok((changed.updated_date == tx.at()).then_some(number))
}

/// A document as it is proposed, or as it is without a proposal.
struct Proposed {
    it: DocumentWithItems,
    /// The version of the open proposal, or of the document without one.
    version: i64,
    /// The values of the sections.
    values: HashMap<String, String>,
}

impl Proposed {
    async fn read(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Self> {
        let it = store::documents::get(tx, organization, slug).await?;
        let Some(number) = it.document.open_proposal else {
            return Ok(Self { version: it.document.version, values: HashMap::new(), it });
        };
        let draft = store::proposals::draft(tx, organization, slug, number, None).await?;
        Ok(Self { version: draft.proposal.version, values: draft.values, it: draft.document })
    }
}

/// The page, with the fields of a form that was sent, or of the document as it is proposed.
async fn edit_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(WRITE)?;
    let (slug, organization) = (slug(request)?, request.id());
    let mut tx = request.read().await?;
    let Proposed { it, version, values } = Proposed::read(&mut tx, organization, &slug).await?;
    let versions = store::documents::count_versions(&mut tx, organization, &slug).await?;
    let frame = Layout::of(request, &mut tx, texts::edit_of(&it.document.title), Section::Documents).await?;
    drop(tx);
    let label = |name: &str| (name == "template").then_some("Text");
    let is_sent = sent.is_some();
    let form = sent.unwrap_or_else(|| fields(&it, version));
    let mut problems = problems.labelled(label, &request.clock);
    let mut printed = None;
    match proposed(&form, request, &it, &values) {
        Ok(proposed) => printed = Some(proposed),
        Err(error) if is_sent && problems.is_empty() => {
            problems = request.problems(error)?.labelled(label, &request.clock);
        }
        Err(_) => {}
    }
    let known = || it.items.iter().map(|placed| placed.item.clone()).collect();
    let items = items(&form).ok().flatten().unwrap_or_else(known);
    let written = Written::of(form.text("template"), Some(&items), form.has("live")).with(&problems);
    let print = move || Some(preview(&printed?, &values)).filter(|text| is_sent || !text.is_empty());
    let written = written.with_preview(print).await?;
    Ok(EditPage { frame, it, versions, form, problems, written })
}

/// The form for a document as it is proposed, with the version that it changes, and the number of the open proposal.
fn fields(it: &DocumentWithItems, version: i64) -> Form {
    let document = &it.document;
    let items: Vec<_> = it.items.iter().map(|placed| placed.item.clone()).collect();
    let values = [
        ("title", document.title.to_string()),
        ("reference", document.reference.as_deref().unwrap_or_default().to_owned()),
        ("classification", document.classification.to_string()),
        ("audience", document.audience.to_string()),
        ("language", document.language.to_string()),
        ("template", it.template.as_deref().unwrap_or_default().to_owned()),
        ("items", file::write_items(&items)),
    ];
    let proposal = document.open_proposal.map(|number| number.to_string()).unwrap_or_default();
    Form::with_originals(values, version).and([("proposal", proposal)])
}

/// What the form changes.
fn read(form: &Form, request: &PageRequest) -> Result<ProposalPatch, Error> {
    let members = form.changed(FIELDS, &request.clock);
    let patch = form.read_as(&members, &request.clock, body::<ProposalPatch>)?;
    let is_changed = !form.changed(&[("items", As::Text)], &request.clock).is_empty();
    Ok(ProposalPatch { items: if is_changed { items(form)? } else { None }, ..patch })
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

/// The document as it would be proposed, if it has room for these values. Whether its risks are there is checked when it is saved.
fn proposed(
    form: &Form,
    request: &PageRequest,
    it: &DocumentWithItems,
    values: &HashMap<String, String>,
) -> Result<DocumentWithItems, Error> {
    let patch = read(form, request)?;
    let risks = patch.items.iter().flatten().flat_map(|item| item.risks.clone()).collect();
    let proposed = patch.apply(it, &risks).map_err(Error::Domain)?.unwrap_or_else(|| it.clone());
    check_printed(&proposed, values, patch.printed_at()).map_err(Error::Domain)?;
    Ok(proposed)
}

/// The text with the values of the proposal, else the published ones, else the defaults; and with what the items take of them.
fn preview(it: &DocumentWithItems, values: &HashMap<String, String>) -> String {
    let takes = |item: &Item, value: &str| {
        let mut faults = Faults::new();
        item.kind.check_value(value, "", &mut faults);
        faults.is_empty()
    };
    let value = |PlacedItem { item, value }: &PlacedItem| {
        let known = values.get(&item.id).or(value.as_ref()).map(String::as_str);
        known.filter(|value| takes(item, value)).or_else(|| item.default_value()).map(str::to_owned)
    };
    let items = it.items.iter();
    let filled: Vec<_> = items.filter_map(|it| Some((it.item.id.as_str(), value(it)?))).collect();
    let values = filled.iter().map(|(id, value)| (*id, value.as_str())).collect();
    printed_or_listed(&it.as_new(), values).unwrap_or_default()
}

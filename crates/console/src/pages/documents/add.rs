//! `/o/{slug}/documents/new`: new documents from the library or from a text, which may be that of a file.

use std::borrow::Cow;

use askama::Template;
use domain::document::{DocumentWithItems, NewDocument, file, library, suggested_slug};
use domain::json::body;
use domain::{Error as E, Fault, Faults};
use http::Error;
use http::json::{Json, read_value};
use http::write::Transaction;
use lists::document_import::DocumentImport;

use super::WRITE;
use super::printed::printed;
use super::written::Written;
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

#[derive(Template)]
#[template(path = "documents/add.html")]
pub(super) struct AddPage {
    frame: Layout,
    /// The policies of the library that are not documents yet.
    offered: Vec<&'static NewDocument>,
    form: Form,
    problems: Problems,
    written: Written,
    /// What was in a file and is not in the text.
    pub(super) not_kept: Vec<String>,
}

/// `GET /o/{slug}/documents/new`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = add_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/new`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    if form.has("preview") {
        let (problems, written) = previewed(&request, &form).await?;
        let page = AddPage { written, ..add_page(&request, form, problems).await? };
        return request.show(&page);
    }
    let base = request.to("/documents");
    let made = async {
        let import = read(&form)?.placed();
        let transaction = Transaction::of_rows(import.iter().map(|(_, new)| new.count()).sum());
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::documents::import(tx, organization, author, &import).await
        };
        let next = move |made: Vec<DocumentWithItems>| {
            let address = match made.as_slice() {
                [one] => format!("{base}/{}", one.document.slug),
                _ => base.clone(),
            };
            Ok(Next::telling(address, texts::drafts_created(made.len())).answer())
        };
        request
            .write_with(&form, transaction, change, next)
            .await
            .map_err(|error| at_fields(error, is_file(&form)))
    };
    let made = made.await;
    let again = async |problems| add_page(&request, form, problems).await;
    request.answer(made, (String::new(), false), again).await
}

/// What is known of the text of a form, whatever its other fields have, and what is wrong with it.
async fn previewed(request: &PageRequest, form: &Form) -> Result<(Problems, Written)> {
    let (text, is_live) = (form.text("template"), form.has("live"));
    let alone = Form::of([("title", texts::NEW_DOCUMENT.to_owned()), ("template", text.to_owned())]);
    let (problems, new) = match read(&alone) {
        Ok(import) => (Problems::default(), import.files.into_iter().next()),
        Err(error) => (request.problems(error)?, None),
    };
    let written = match &new {
        _ if !is_file(form) => Written::of(text, None, is_live),
        Some(new) => Written::of(new.template.as_deref().unwrap_or_default(), Some(&new.items), is_live),
        None => Written { is_live, ..Written::default() },
    };
    let written = written.with(&problems).with_preview(move || preview(&new?)).await?;
    Ok((problems, written))
}

/// The page with this form.
pub(super) async fn add_page(request: &PageRequest, form: Form, problems: Problems) -> Result<AddPage> {
    request.require(WRITE)?;
    let mut tx = request.read().await?;
    let slugs: Vec<String> = library().iter().map(|policy| policy.slug.clone()).collect();
    let taken = store::documents::existing(&mut tx, request.id(), &slugs).await?;
    let offered = library().iter().filter(|policy| !taken.contains(&policy.slug)).collect();
    let frame = Layout::of(request, &mut tx, texts::NEW_DOCUMENT, Section::Documents).await?;
    Ok(AddPage { frame, offered, form, problems, written: Written::default(), not_kept: Vec::new() })
}

/// What is to be created: the policies that are ticked, or the text.
fn read(form: &Form) -> Result<DocumentImport, Error> {
    let text = |text: &str| Json::String(Cow::Owned(text.to_owned()));
    let object = |name: &'static str, value| Json::Object(vec![(name.into(), value)]);
    if form.has("library") {
        let slugs = form.all("library").map(text).collect();
        return read_value(object("library", Json::Array(slugs)), body);
    }
    let template = form.text("template");
    if is_file(form) {
        let files = object("files", Json::Array(vec![text(template)]));
        return read_value(files, body).map_err(|error| at_fields(error, true));
    }
    let slug = match form.text("slug") {
        "" => suggested_slug(form.text("title"), 1),
        slug => slug.to_owned(),
    };
    let members = [("slug", slug.as_str()), ("title", form.text("title")), ("template", template)];
    let members = members.map(|(name, value)| (Cow::Borrowed(name), text(value)));
    let new = read_value(Json::Object(members.into()), body)?;
    Ok(DocumentImport { files: vec![new], uploads: Vec::new(), library: Vec::new() })
}

/// Whether the text has its own title and items.
fn is_file(form: &Form) -> bool {
    file::is_file(form.text("template"))
}

/// The same error where faults are at the fields of the form; those of a file are at the text.
fn at_fields(error: Error, is_file: bool) -> Error {
    let Error::Domain(E::Invalid(faults)) = error else { return error };
    let mut at_fields = Faults::new();
    for fault in faults {
        let fault = Fault { pointer: fault.pointer.replacen("/files/0", "", 1), ..fault };
        match is_file {
            true => at_fields.add("#/template", fault.code, sentence_of_file(&fault)),
            false => at_fields.push(fault),
        }
    }
    Error::Domain(E::Invalid(at_fields))
}

/// What is wrong with a file, with its place if that is within a member.
pub(super) fn sentence_of_file(fault: &Fault) -> String {
    match fault.pointer.trim_start_matches("#/") {
        "#" => fault.sentence_about(texts::THE_FILE),
        place if place.contains('/') => texts::fault_within(place, &fault.sentence()),
        _ => fault.sentence(),
    }
}

/// The text with the default of each item.
fn preview(new: &NewDocument) -> Option<String> {
    let values = new.items.iter().filter_map(|item| Some((item.id.as_str(), item.default_value()?)));
    printed(new, values.collect())
}

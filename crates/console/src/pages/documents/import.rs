//! `POST /o/{slug}/documents/import`: files that people have. One is shown in the form of a new document; several become drafts
//! at once, and a page tells what became of each.

use std::fmt::Display;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use askama::Template;
use bytes::Bytes;
use db::Tx;
use domain::document::{DocumentWithItems, NewDocument};
use domain::json::Pointer;
use domain::{Author, Fault, FaultCode, Faults, OrgId};
use http::answer::Answer;
use http::write::Transaction;
use http::{Error, location};
use lists::document_import::{self, Drafts, Given, MAX_FILES, Opened};

use super::WRITE;
use super::add;
use crate::frame::form::{Form, ONCE};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The most bytes of the form.
pub(super) const FILE_BYTES: usize = 8 * 1024 * 1024;

#[derive(Template)]
#[template(path = "documents/imported.html")]
struct ImportedPage {
    frame: Layout,
    told: String,
    files: Vec<Row>,
}

/// What became of a file: its name; the slug and the title of its document, none if it was refused; and what of it is not kept,
/// or what is wrong with it.
type Row = (String, Option<(String, String)>, Vec<String>);

/// A file that was read: what is known of it, and the document to create.
type Read = (Row, Option<NewDocument>);

/// `GET` of the same address, as it stands in the browser while the outcome is shown: leads back to the form.
pub(crate) async fn page(request: PageRequest) -> Result {
    Ok(location::see_other(&request.to("/documents/new")))
}

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let (once, mut files) = request.files(FILE_BYTES).await?;
    match files.len() {
        0 => shown(&request, Err(texts::NO_FILE_CHOSEN.to_owned())).await,
        1 => {
            let (name, file) = files.remove(0);
            let opened = request.app.convert(move || Ok(document_import::open(&name, &file))).await?;
            shown(&request, opened.map_err(texts::file_not_read)).await
        }
        2..=MAX_FILES => import(&request, once, files).await,
        _ => shown(&request, Err(texts::too_many_files(MAX_FILES))).await,
    }
}

/// The form with the text of a file. Nothing is stored.
async fn shown(request: &PageRequest, opened: std::result::Result<Opened, String>) -> Result {
    let page = match opened {
        Ok(Opened { title, text, not_kept, .. }) => {
            let form = Form::of([("title", title), ("template", text)]);
            let mut page = add::add_page(request, form, Problems::default()).await?;
            page.not_kept = not_kept;
            page
        }
        Err(message) => add::add_page(request, Form::default(), Problems::with(message)).await?,
    };
    request.show(&page)
}

/// Makes a draft of each file with which nothing is wrong, and shows what became of each.
async fn import(request: &PageRequest, once: String, files: Vec<(String, Bytes)>) -> Result {
    let read = move || {
        let mut hasher = DefaultHasher::new();
        files.hash(&mut hasher);
        Ok((hasher.finish(), read(&files)))
    };
    let (hash, read) = request.app.convert(read).await?;
    let form = Form::of([(ONCE, once), ("files", hash.to_string())]);
    let (rows, new): (Vec<Row>, Vec<Option<NewDocument>>) = read.into_iter().unzip();
    let new: Vec<NewDocument> = new.into_iter().flatten().collect();
    let transaction = Transaction::of_rows(new.iter().map(NewDocument::count).sum());
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::documents::create_each(tx, organization, author, &new.iter().collect::<Vec<_>>()).await
    };
    let to = request.to("/documents");
    let respond = move |made: Vec<std::result::Result<DocumentWithItems, Faults>>| {
        let rows = serde_json::to_vec(&with_outcomes(rows.clone(), made)).map_err(failed)?;
        Ok(Answer { body: rows.into(), ..Answer::see_other(to.clone()) })
    };
    match request.write_with(&form, transaction, change, respond).await {
        Ok(answer) => {
            let files: Vec<Row> = serde_json::from_slice(&answer.body).map_err(failed)?;
            let made = files.iter().filter(|(_, made, _)| made.is_some()).count();
            let told = texts::files_imported(made, files.len() - made);
            let mut tx = request.read().await?;
            let frame = Layout::of(request, &mut tx, texts::FILES_IMPORTED, Section::Documents).await?;
            request.show(&ImportedPage { frame, told, files })
        }
        Err(error) => {
            let problems = request.problems(error)?;
            request.show_again(&add::add_page(request, Form::default(), problems).await?)
        }
    }
}

/// Reads the files. One with which something is wrong has no document.
fn read(files: &[(String, Bytes)]) -> Vec<Read> {
    let mut drafts = Drafts::of_request();
    let read = |(name, file): &(String, Bytes)| {
        let mut faults = Faults::new();
        let (new, lines) = match drafts.read(name, file, Given::default(), Pointer::ROOT, &mut faults) {
            Ok(Some(draft)) => (Some(draft.new), draft.not_kept),
            Ok(None) => (None, faults.iter().map(add::sentence_of_file).collect()),
            Err(why) => (None, vec![texts::cannot_be_read(why)]),
        };
        // Until the document is made, it says only that there is to be one.
        let made = new.as_ref().map(|new| (new.slug.clone(), new.title.to_string()));
        ((name.clone(), made, lines), new)
    };
    files.iter().map(read).collect()
}

/// The rows, of which those with a document get what became of it.
fn with_outcomes(mut rows: Vec<Row>, made: Vec<std::result::Result<DocumentWithItems, Faults>>) -> Vec<Row> {
    for ((_, to_make, lines), made) in rows.iter_mut().filter(|(_, to_make, _)| to_make.is_some()).zip(made) {
        if let Err(faults) = made {
            let slug = to_make.take().map(|(slug, _)| slug).unwrap_or_default();
            let sentence = |fault: &Fault| match (fault.pointer.as_str(), fault.code) {
                ("#/slug", FaultCode::Duplicate) => texts::address_taken(&slug),
                _ => add::sentence_of_file(fault),
            };
            *lines = faults.iter().map(sentence).collect();
        }
    }
    rows
}

fn failed(error: impl Display) -> Error {
    Error::internal(format!("files were not imported: {error}"))
}

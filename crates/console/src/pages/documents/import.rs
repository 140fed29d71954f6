//! `POST /o/{slug}/documents/import`: files that people have. One is shown in the form of a new document; several become drafts
//! at once, and a page tells what became of each.

use std::fmt::Display;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use askama::Template;
use bytes::Bytes;
use db::Tx;
use domain::document::{DocumentWithItems, NewDocument};
use domain::json::Pointer;
use domain::{Author, Faults, OrgId};
use http::Error;
use http::answer::Answer;
use http::write::Transaction;
use lists::document_import::{self, Drafts, MAX_FILES, Opened};

use super::WRITE;
use super::add;
use crate::frame::form::{Form, ONCE};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

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

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let (once, mut files) = request.files().await?;
    match files.len() {
        0 => shown(&request, Err(texts::NO_FILE_CHOSEN.to_owned())).await,
        1 => {
            let (name, file) = files.remove(0);
            let opened = blocking(move || document_import::open(&name, &file)).await?;
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
            let mut page = add::add_page(request, form, Problems::default(), None).await?;
            page.not_kept = not_kept;
            page
        }
        Err(message) => add::add_page(request, Form::default(), Problems::with(message), None).await?,
    };
    request.show(&page)
}

/// Makes a draft of each file with which nothing is wrong, and shows what became of each.
async fn import(request: &PageRequest, once: String, files: Vec<(String, Bytes)>) -> Result {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let form = Form::of([(ONCE, once), ("files", hasher.finish().to_string())]);
    let read = blocking(move || read(&files)).await?;
    let (rows, new): (Vec<Row>, Vec<Option<NewDocument>>) = read.into_iter().unzip();
    let new: Vec<NewDocument> = new.into_iter().flatten().collect();
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::documents::create_each(tx, organization, author, &new.iter().collect::<Vec<_>>()).await
    };
    let to = request.to("/documents");
    let respond = move |made: Vec<std::result::Result<DocumentWithItems, Faults>>| {
        let rows = serde_json::to_vec(&with_outcomes(rows.clone(), made)).map_err(failed)?;
        Ok(Answer { body: rows.into(), ..Answer::see_other(to.clone()) })
    };
    match request.write_with(&form, Transaction::Shared, change, respond).await {
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
            request.show_again(&add::add_page(request, Form::default(), problems, None).await?)
        }
    }
}

/// Reads the files. One with which something is wrong has no document.
fn read(files: &[(String, Bytes)]) -> Vec<Read> {
    let mut drafts = Drafts::default();
    let read = |(name, file): &(String, Bytes)| {
        let mut faults = Faults::new();
        let (new, lines) = match drafts.read(name, file, Pointer::ROOT, &mut faults) {
            Ok(Some(draft)) if faults.is_empty() => (Some(draft.new), draft.not_kept),
            Ok(_) => (None, sentences(&faults)),
            Err(why) => (None, vec![texts::file_not_read(why)]),
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
            (*to_make, *lines) = (None, sentences(&faults));
        }
    }
    rows
}

fn sentences(faults: &Faults) -> Vec<String> {
    faults.iter().map(domain::Fault::sentence).collect()
}

/// Does what may take long on a thread of its own.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

fn failed(error: impl Display) -> Error {
    Error::internal(format!("files were not imported: {error}"))
}

//! `/o/{slug}/imports?kind=…`: a spreadsheet to import, and those that were sent in the last days.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use askama::Template;
use db::Tx;
use domain::import::{Import, ImportKind, MAX_FILE_BYTES};
use domain::{Author, Error as E, OrgId};
use http::Error;
use http::answer::Answer;
use lists::imports::file_name;

use super::{kinds, section};
use crate::frame::form::{Form, ONCE};
use crate::frame::layout::Layout;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// What a form has beside the file.
const FORM_BYTES: usize = 16 * 1024;

/// So many imports are listed.
const MOST: i64 = 50;

#[derive(Template)]
#[template(path = "imports/sent.html")]
struct SentPage {
    frame: Layout,
    kind: ImportKind,
    /// Those that the person may make.
    kinds: Vec<ImportKind>,
    rows: Vec<Import>,
    problems: Problems,
}

/// `GET /o/{slug}/imports`
pub(super) async fn page(request: PageRequest) -> Result {
    let page = sent_page(&request, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/imports`: keeps a file, and leads to what was found in it.
pub(super) async fn submit(mut request: PageRequest) -> Result {
    require(&request)?;
    let (once, mut files) = request.files(MAX_FILE_BYTES + FORM_BYTES).await?;
    let sent = match files.pop() {
        Some((name, file)) => keep(&request, once, &name, file.into()).await,
        None => {
            return request.show_again(&sent_page(&request, Problems::with(texts::NO_FILE_CHOSEN)).await?);
        }
    };
    let problems = match sent {
        Ok(answer) => return Ok(request.lead(answer, texts::FILE_WAS_READ, false)),
        Err(Error::Domain(E::Invalid(faults))) => {
            let sentences = faults.iter().map(|fault| fault.sentence_about(texts::THE_FILE));
            Problems::with(sentences.collect::<Vec<_>>().join(" "))
        }
        Err(error) => request.problems(error)?,
    };
    request.show_again(&sent_page(&request, problems).await?)
}

async fn keep(request: &PageRequest, once: String, name: &str, file: Vec<u8>) -> Result<Answer> {
    let hashed = move || {
        let mut hasher = DefaultHasher::new();
        file.hash(&mut hasher);
        Ok::<_, Error>((hasher.finish(), file))
    };
    let (hash, file) = request.app.convert(hashed).await?;
    let form = Form::of([(ONCE, once), ("file", hash.to_string())]);
    let new = lists::imports::sent(&request.app, request.id(), kind(request), file_name(name), file).await?;
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::imports::create(tx, organization, author, &new).await
    };
    let to = request.to("/imports/");
    request.write(&form, change, move |import: Import| format!("{to}{}", import.id)).await
}

async fn sent_page(request: &PageRequest, problems: Problems) -> Result<SentPage> {
    require(request)?;
    let (kind, kinds) = (kind(request), kinds(request));
    let mut tx = request.read().await?;
    let rows = store::imports::list(&mut tx, request.id(), &request.viewer(), &kinds, None, MOST).await?.rows;
    let frame = Layout::of(request, &mut tx, texts::import_of(kind), section(kind).0).await?;
    Ok(SentPage { frame, kind, kinds, rows, problems })
}

/// What a file is imported as: the first of what the person may import, unless the address says it.
fn kind(request: &PageRequest) -> ImportKind {
    let asked = ImportKind::parse(request.asked().text("kind"));
    asked.or_else(|| kinds(request).first().copied()).unwrap_or(ImportKind::Risks)
}

/// Refuses a person who may not make such an import.
fn require(request: &PageRequest) -> Result<()> {
    Ok(request.permissions().require(kind(request).scope().into())?)
}

impl SentPage {
    /// The path of the list of such records.
    fn list(&self) -> &'static str {
        section(self.kind).1
    }
}

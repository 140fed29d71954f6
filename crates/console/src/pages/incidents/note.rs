//! `/o/{slug}/incidents/{id}/{comments|entries}/{number}`: corrects what somebody wrote, or deletes it.

use askama::Template;
use domain::note::EntryKind;
use domain::{ExpectedVersion, ResourceKind};
use jiff::Timestamp;
use store::View;
use store::comments::NoteId;
use web::input::{comments, entries};

use super::{WRITE, address, number};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The members of an entry that can be changed here.
const ENTRY: &[(&str, As)] =
    &[("kind", As::Text), ("text", As::Text), ("at", As::Time), ("pinned", As::Flag)];

#[derive(Template)]
#[template(path = "incidents/note.html")]
struct NotePage {
    frame: Layout,
    id: NoteId,
    is_entry: bool,
    form: Form,
    problems: Problems,
}

/// What somebody wrote, as the form needs it.
struct Note {
    kind: Option<EntryKind>,
    text: String,
    at: Option<Timestamp>,
    pinned: bool,
    version: i64,
}

/// `GET /o/{slug}/incidents/{id}/comments/{number}`
pub(crate) async fn comment_page(request: PageRequest) -> Result {
    let page = note_page(&request, false, None, Problems::default()).await?;
    request.show(&page)
}

/// `GET /o/{slug}/incidents/{id}/entries/{number}`
pub(crate) async fn entry_page(request: PageRequest) -> Result {
    let page = note_page(&request, true, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/{id}/comments/{number}`
pub(crate) async fn change_comment(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let id = note_id(&request, ResourceKind::Comment)?;
    let form = request.form().await?;
    let (to, is_deleted, expected) = target(&request, &form, id);
    let changed = async {
        let patch = form.read_as(&[("text", As::Text)], &request.clock, comments::read_patch)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| match is_deleted {
            true => store::comments::delete(tx, organization, author, id, &expected).await,
            false => {
                store::comments::update(tx, organization, author, id, &expected, &patch).await.map(|_| ())
            }
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| note_page(&request, false, Some(form), problems).await;
    request.answer(changed, (told(is_deleted), false), again).await
}

/// `POST /o/{slug}/incidents/{id}/entries/{number}`
pub(crate) async fn change_entry(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let id = note_id(&request, ResourceKind::Entry)?;
    let form = request.form().await?;
    let (to, is_deleted, expected) = target(&request, &form, id);
    let changed = async {
        let patch = form.read_as(&form.changed(ENTRY), &request.clock, entries::read_patch)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| match is_deleted {
            true => store::entries::delete(tx, organization, author, id, &expected).await,
            false => {
                store::entries::update(tx, organization, author, id, &expected, &patch).await.map(|_| ())
            }
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| note_page(&request, true, Some(form), problems).await;
    request.answer(changed, (told(is_deleted), false), again).await
}

fn note_id(request: &PageRequest, kind: ResourceKind) -> Result<NoteId> {
    let incident = number(request)?;
    let number = request.path(1, kind, |text| text.parse::<i64>().ok())?;
    Ok(NoteId { incident, number })
}

/// Where the form leads, whether it deletes, and the version that it was made of.
fn target(request: &PageRequest, form: &Form, id: NoteId) -> (String, bool, ExpectedVersion) {
    let version = form.text("version").parse().unwrap_or_default();
    let to = format!("{}#timeline", address(request, id.incident));
    (to, form.has("delete"), ExpectedVersion::OneOf(vec![version]))
}

fn told(is_deleted: bool) -> &'static str {
    if is_deleted { texts::NOTE_DELETED } else { texts::NOTE_CORRECTED }
}

async fn note_page(
    request: &PageRequest,
    is_entry: bool,
    sent: Option<Form>,
    problems: Problems,
) -> Result<NotePage> {
    request.require(WRITE)?;
    let id = note_id(request, if is_entry { ResourceKind::Entry } else { ResourceKind::Comment })?;
    let (organization, viewer) = (request.id(), request.viewer());
    let mut tx = request.read().await?;
    let note = match is_entry {
        true => {
            let it = store::entries::get(&mut tx, organization, &viewer, id, View::now()).await?;
            it.note.check_author(&request.author())?;
            Note {
                kind: Some(it.kind),
                text: it.note.text,
                at: Some(it.at),
                pinned: it.pinned,
                version: it.note.version,
            }
        }
        false => {
            let it = store::comments::get(&mut tx, organization, &viewer, id, View::now()).await?.value;
            it.note.check_author(&request.author())?;
            Note { kind: None, text: it.note.text, at: None, pinned: false, version: it.note.version }
        }
    };
    let frame = Layout::of(request, &mut tx, texts::CORRECT_WHAT_YOU_WROTE, Section::Incidents).await?;
    let form = sent.unwrap_or_else(|| form_of(&note, request));
    Ok(NotePage { frame, id, is_entry, form, problems })
}

fn form_of(note: &Note, request: &PageRequest) -> Form {
    let mut values = vec![("text", note.text.clone())];
    values.extend(note.kind.map(|kind| ("kind", kind.as_str().to_owned())));
    values.extend(note.at.map(|at| ("at", request.clock.field(&at))));
    values.extend(note.pinned.then(|| ("pinned", "on".to_owned())));
    Form::with_originals(values, note.version)
}

impl NotePage {
    fn kinds(&self) -> &'static [EntryKind] {
        EntryKind::ALL
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}

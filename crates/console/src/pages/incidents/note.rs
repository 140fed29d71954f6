//! `/o/{slug}/incidents/{id}/notes/{number}`: edits what somebody wrote, or deletes it.

use askama::Template;
use domain::note::{Note, NoteKind};
use domain::{ExpectedVersion, ResourceKind, Scope};
use store::View;
use store::notes::NoteId;
use web::input::notes;

use super::{address, number};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// What writing notes needs: who only declares incidents comments on them.
pub(super) const WRITE_NOTES: &[Scope] = &[Scope::IncidentsWrite, Scope::IncidentsDeclare];

/// The members that can be changed here.
const MEMBERS: &[(&str, As)] =
    &[("kind", As::Text), ("text", As::Text), ("at", As::Time), ("pinned", As::Flag)];

#[derive(Template)]
#[template(path = "incidents/note.html")]
struct NotePage {
    frame: Layout,
    id: NoteId,
    is_comment: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/incidents/{id}/notes/{number}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = note_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/{id}/notes/{number}`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE_NOTES)?;
    let id = note_id(&request)?;
    let form = request.form().await?;
    let version = form.text("version").parse().unwrap_or_default();
    let (is_deleted, expected) = (form.has("delete"), ExpectedVersion::OneOf(vec![version]));
    let to = format!("{}#timeline", address(&request, id.incident));
    let changed = async {
        let patch = form.read_as(&form.changed(MEMBERS), &request.clock, notes::read_patch)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| match is_deleted {
            true => store::notes::delete(tx, organization, author, id, &expected).await,
            false => store::notes::update(tx, organization, author, id, &expected, &patch).await.map(drop),
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let changed = changed.await;
    let told = if is_deleted { texts::NOTE_DELETED } else { texts::NOTE_EDITED };
    let again = async |problems| note_page(&request, Some(form), problems).await;
    request.answer(changed, (told, false), again).await
}

fn note_id(request: &PageRequest) -> Result<NoteId> {
    let incident = number(request)?;
    let number = request.path(1, ResourceKind::Note, |text| text.parse::<i64>().ok())?;
    Ok(NoteId { incident, number })
}

async fn note_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<NotePage> {
    request.require(WRITE_NOTES)?;
    let id = note_id(request)?;
    let mut tx = request.read().await?;
    let note = store::notes::get(&mut tx, request.id(), &request.viewer(), id, View::now()).await?.value;
    note.check_author(&request.author())?;
    let frame = Layout::of(request, &mut tx, texts::EDIT_NOTE, Section::Incidents).await?;
    let is_comment = note.kind == NoteKind::Comment;
    let form = sent.unwrap_or_else(|| form_of(note, request));
    Ok(NotePage { frame, id, is_comment, form, problems })
}

fn form_of(note: Note, request: &PageRequest) -> Form {
    let mut values = vec![("text", note.text.into())];
    if note.kind != NoteKind::Comment {
        values.push(("kind", note.kind.as_str().to_owned()));
        values.push(("at", request.clock.field(&note.at)));
    }
    values.extend(note.pinned.then(|| ("pinned", "on".to_owned())));
    Form::with_originals(values, note.version)
}

impl NotePage {
    /// The kinds that it can become.
    fn kinds(&self) -> impl Iterator<Item = NoteKind> {
        NoteKind::ALL.iter().copied().filter(|kind| *kind != NoteKind::Comment)
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}

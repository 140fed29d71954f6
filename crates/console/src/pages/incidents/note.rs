//! `/o/{slug}/incidents/{id}/notes/{number}`: edits what somebody wrote, or deletes it.

use askama::Template;
use domain::json;
use domain::note::{Note, NoteKind, NotePatch};
use domain::person::Member;
use domain::{ResourceKind, Scope};
use store::View;
use store::notes::NoteId;

use super::{address, mentions, number};
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
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
    /// The members who can be mentioned.
    mentionable: Vec<Member>,
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
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let is_deleted = sent.has("delete");
    let current = || async move { current(request, is_deleted).await };
    let write = |form: Form| async move {
        let to = format!("{}#timeline", address(request, id.incident));
        let (expected, version) = (form.expected(), form.version());
        let members = form.changed(MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, json::body::<NotePatch>)?;
        let mentions = match patch.text.as_ref().filter(|_| !is_deleted) {
            Some(text) => {
                let mut tx = request.read().await?;
                let before = read(request, &mut tx).await?;
                mentions::of_edited(request, &mut tx, &before, text).await?
            }
            None => None,
        };
        let patch = NotePatch { mentions, ..patch };
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| match is_deleted {
            true => store::notes::delete(tx, organization, author, id, &expected).await.map(|()| None),
            false => {
                let changed = store::notes::update(tx, organization, author, id, &expected, &patch).await?;
                Ok(Some(changed.value.version))
            }
        };
        let next =
            move |changed: Option<i64>| Next::after(changed.is_none() || changed != version, to.clone());
        request.write(sent, change, next).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let told = if is_deleted { texts::NOTE_DELETED } else { texts::NOTE_EDITED };
    let again = async |problems| note_page(request, Some(form), problems).await;
    request.answer(changed, (told, false), again).await
}

fn note_id(request: &PageRequest) -> Result<NoteId> {
    let incident = number(request)?;
    let number = request.path(1, ResourceKind::Note, |text| text.parse::<i64>().ok())?;
    Ok(NoteId { incident, number })
}

/// The form of what is written now. What somebody else has changed is not deleted unread.
async fn current(request: &PageRequest, is_deleted: bool) -> Result<Form> {
    let note = read(request, &mut request.read().await?).await?;
    let (text, form) = (note.text.to_string(), form_of(note, request));
    Ok(if is_deleted { form.and([("theirs_text", text)]) } else { form })
}

/// The note, if the person may change it.
async fn read(request: &PageRequest, tx: &mut db::Tx) -> Result<Note> {
    let id = note_id(request)?;
    let note = store::notes::get(tx, request.id(), &request.viewer(), id, View::now()).await?.value;
    note.check_author(&request.author())?;
    Ok(note)
}

async fn note_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<NotePage> {
    request.require(WRITE_NOTES)?;
    let id = note_id(request)?;
    let mut tx = request.read().await?;
    let note = read(request, &mut tx).await?;
    let frame = Layout::of(request, &mut tx, texts::EDIT_NOTE, Section::Incidents).await?;
    let is_comment = note.kind == NoteKind::Comment;
    let mentionable = match is_comment && request.may(Scope::UsersRead) {
        true => {
            let (viewer, view) = (request.viewer(), View::now());
            let incident = store::incidents::get(&mut tx, request.id(), &viewer, id.incident, view).await?;
            let people = store::people::first(&mut tx, request.id(), MOST_CHOICES).await?;
            mentions::offered(request, &people, &incident).cloned().collect()
        }
        false => Vec::new(),
    };
    let form = sent.unwrap_or_else(|| form_of(note, request));
    let problems = news::of_incident(request, &mut tx, id.incident, None, problems).await?;
    Ok(NotePage { frame, id, is_comment, mentionable, form, problems })
}

fn form_of(note: Note, request: &PageRequest) -> Form {
    let mut values = vec![("text", note.text.into())];
    let mut times = None;
    if note.kind != NoteKind::Comment {
        values.push(("kind", note.kind.as_str().to_owned()));
        values.push(("pinned", if note.pinned { "on" } else { "" }.to_owned()));
        times = Some(("at", Some(note.at)));
    }
    Form::with_originals(values, note.version).with_times(times, &request.clock)
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

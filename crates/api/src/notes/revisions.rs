//! `GET /v1/incidents/{id}/notes/{number}/revisions`

use std::collections::HashMap;

use domain::note::{Mention, Note};
use domain::{Prose, UserId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::timestamp::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::note_id;
use super::view::{NoteKindView, people};
use crate::shared::{ActorView, PersonView};

/// An earlier or the current text of a note.
#[derive(Serialize, ToSchema)]
#[schema(as = NoteRevision, examples(json!({
    "kind": "action", "text": "The sender is blocked at the mail gateway.", "at": "2026-03-01T09:30:00.000000Z",
    "mentions": [],
})))]
struct RevisionView {
    /// 1 for the first text; each edit adds 1.
    #[schema(minimum = 1)]
    revision: i64,
    /// The kind.
    kind: NoteKindView,
    /// Markdown.
    text: Prose,
    /// The time that it spoke of.
    at: Timestamp,
    /// The people whom it mentioned.
    #[schema(max_items = 50)]
    mentions: Vec<PersonView>,
    /// Who wrote this text.
    written_by: ActorView,
    /// When.
    written_date: Timestamp,
}

impl RevisionView {
    fn of(note: Note, known: &HashMap<UserId, Mention>) -> Self {
        Self {
            revision: note.revision(),
            kind: note.kind.into(),
            text: note.text,
            at: note.at.into(),
            mentions: people(&note.mentions, known),
            written_by: note.edited_by.unwrap_or(note.author).into(),
            written_date: note.edited_date.unwrap_or(note.created_date).into(),
        }
    }
}

/// List the revisions of a note
///
/// Its texts from the first to the current one, with author and time.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/notes/{number}/revisions",
    operation_id = "list_incident_note_revisions",
    tag = "Notes",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the note"),
        PageParams,
    ),
    responses(
        (status = 200, description = "Revisions", body = List<RevisionView>),
        (status = 404, description = "Incident not found, or Note not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (viewer, after) = (request.viewer(), page.after);
    let (rows, mentions) =
        store::notes::list_revisions(&mut tx, organization, &viewer, id, after, page.limit).await?;
    let total = page.total(store::notes::count_revisions(&mut tx, organization, id)).await?;
    let position = |note: &Note| note.version;
    Answer::list(&request.list(rows, total, position, |note| RevisionView::of(note, &mentions)))
}

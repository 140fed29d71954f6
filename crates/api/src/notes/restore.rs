//! `POST /v1/incidents/{id}/notes/{number}/restore`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{NoteView, note_id};
use crate::by_path;

/// Restore a note
///
/// Restores a deleted note with its revisions. A note that is not deleted is not found.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/notes/{number}/restore",
    operation_id = "restore_incident_note",
    tag = "Notes",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the note"),
    ),
    responses(
        (status = 200, description = "Note restored", body = NoteView),
        (status = 404, description = "Incident not found, or Note not found"),
    )
)]
pub(crate) async fn restore(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request)?;
    by_path::change_with_id(request, id, store::notes::restore, |it| {
        Answer::record(it.value.version, &NoteView::new(it))
    })
    .await
}

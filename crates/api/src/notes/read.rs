//! `GET /v1/incidents/{id}/notes/{number}`

use domain::Scope;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{Seen, SeenParams};
use http::error::Result;

use super::{NoteView, note_id};

/// Read a note
///
/// The current state, or the state known at a past time.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/notes/{number}",
    operation_id = "read_incident_note",
    tag = "Notes",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the note"),
        SeenParams,
    ),
    responses(
        (status = 200, description = "The note", body = NoteView),
        (status = 404, description = "Incident not found, or Note not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request)?;
    let mut query = request.query();
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let it = store::notes::get(&mut tx, organization, &request.viewer(), id, view).await?;
    Answer::record(it.value.version, &NoteView::new(it).seen(named))
}

//! `DELETE /v1/incidents/{id}/notes/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::note_id;
use crate::by_path;

/// Delete a note
///
/// Soft-deletes a note: it no longer appears in reads, and can be restored until the incident is purged. Deleting a
/// note of someone else requires the scope `incidents:delete`.
#[utoipa::path(
    delete,
    path = "/v1/incidents/{id}/notes/{number}",
    operation_id = "delete_incident_note",
    tag = "Notes",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the note"),
    ),
    responses(
        (status = 204, description = "Note deleted"),
        (status = 404, description = "Incident not found, or Note not found"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request)?;
    by_path::change_with_id(request, id, store::notes::delete, |()| Ok(Answer::no_content())).await
}

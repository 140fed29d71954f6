//! `PATCH /v1/incidents/{id}/notes/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{NoteView, note_id};
use domain::json;
use domain::note::NotePatch;

/// Edit or pin a note
///
/// The author and holders of `incidents:delete` can edit it; each edit keeps the earlier text as a revision. Everyone
/// who may change the incident can pin and unpin it. A patch that changes nothing does not change the version.
#[utoipa::path(
    patch,
    path = "/v1/incidents/{id}/notes/{number}",
    operation_id = "update_incident_note",
    tag = "Notes",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the note"),
    ),
    request_body(content(
        (NotePatch = "application/json"),
        (NotePatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The note", body = NoteView),
        (status = 404, description = "Incident not found, or Note not found"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request)?;
    request.no_query()?;
    let author = request.author();
    let patch = request
        .merge_patch_of_record(json::body::<NotePatch>, async move |tx, organization, patch, now| {
            store::notes::patch_faults(tx, organization, &author, id, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::notes::update(tx, organization, author, id, &expected, &patch).await
            },
            |it| Answer::record(it.value.version, &NoteView::new(it)),
        )
        .await
}

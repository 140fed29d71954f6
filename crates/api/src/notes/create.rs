//! `POST /v1/incidents/{id}/notes`

use domain::note::NewNote;
use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::NoteView;

/// Write a note about an incident
///
/// A comment is a message to the others and may mention them. The other kinds record what was observed, done, decided
/// or communicated: `at` is the event time, not the time of writing. With `incidents:declare` alone callers comment on
/// the incidents that they declared.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/notes",
    operation_id = "create_incident_note",
    tag = "Notes",
    params(crate::path::IncidentId),
    request_body = NewNote,
    responses(
        (status = 201, description = "Note added", body = NoteView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new = request.json(move |body, faults| NewNote::read(body, now, faults)).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::notes::create(tx, organization, author, incident, &new).await
            },
            move |it| {
                let location = format!("/v1/incidents/{incident}/notes/{}", it.value.number);
                Answer::created(location, it.value.version, &NoteView::new(it))
            },
        )
        .await
}

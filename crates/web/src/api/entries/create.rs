//! `POST /v1/incidents/{id}/entries`

use domain::{IncidentNumber, ResourceKind};

use super::EntryView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::entries::{self, NewEntryInput};

/// Write into the timeline of an incident
///
/// What was seen, done, decided or said, and when: `at` is the time that the entry speaks of, not the time of writing.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/entries",
    operation_id = "create_incident_entry",
    tag = "Entries",
    params(("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`")),
    request_body = NewEntryInput,
    responses(
        (status = 201, description = "Entry added", body = EntryView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new = request.json(move |body, faults| entries::read_new(body, now, faults)).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::entries::create(tx, organization, author, incident, &new).await
            },
            move |entry| {
                let location = format!("/v1/incidents/{incident}/entries/{}", entry.note.number);
                Answer::created(location, entry.note.version, &EntryView::from(entry))
            },
        )
        .await
}

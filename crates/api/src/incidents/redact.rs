//! `POST /v1/incidents/{id}/redact`

use domain::incident::Viewer;
use domain::json::body;
use domain::redaction::Redaction;
use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use store::View;

use super::{IncidentView, view};

/// Redact an incident
///
/// Permanently removes a text, such as a password, from the incident: from the current state, every earlier state, the
/// journal and the responses stored for idempotency keys. `[redacted]` replaces it. The journal says who did so, when
/// and why, and still verifies. It cannot be undone.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/redact",
    operation_id = "redact_incident",
    tag = "Incidents",
    params(crate::path::IncidentId),
    request_body = Redaction,
    responses(
        (status = 200, description = "The incident", body = IncidentView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn redact(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let redaction = request.json(body::<Redaction>).await?;
    let (expected, at) = (request.expected_version(), (request.app.db().clock())());
    let db = request.app.db().clone();
    let answer = request
        .write(
            async move |tx, organization, author| {
                let incident =
                    store::redaction::redact(tx, organization, author, number, &expected, &redaction).await?;
                let viewer = Viewer::of(author);
                store::incidents::details(tx, organization, &viewer, View::now(), incident).await
            },
            move |details| view::changed(details, at),
        )
        .await?;
    db.scrub();
    Ok(answer)
}

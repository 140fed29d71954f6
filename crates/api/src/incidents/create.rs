//! `POST /v1/incidents`

use domain::incident::NewIncident;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use store::incidents::IncidentDetails;

use super::IncidentView;

/// Create an incident
///
/// A body of `null`, or no body, declares an incident to be described later: its title is `Untitled incident`. A `severity`
/// comes with its `severity_reasoning`; it and `tags` need `incidents:write`. A tag that does not exist is
/// created if the caller has the scope `tags:write`.
#[utoipa::path(
    post,
    path = "/v1/incidents",
    operation_id = "create_incident",
    tag = "Incidents",
    request_body = Option<NewIncident>,
    responses(
        (status = 201, description = "Incident created", body = IncidentView),
        (status = 404, description = "Incident not found: it was created under this `Idempotency-Key` and is absent by now"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new =
        request.json_or_null(move |body, faults| NewIncident::read_or_untitled(body, now, faults)).await?;
    request
        .write(
            async move |tx, organization, author| {
                let incident = store::incidents::create(tx, organization, author, &new).await?;
                IncidentDetails::declared(tx, organization, incident, !new.tags.is_empty()).await
            },
            move |details| {
                let IncidentDetails { incident, .. } = &details;
                let (location, version) = (format!("/v1/incidents/{}", incident.number), incident.version);
                Answer::created(location, version, &IncidentView::from((details, now)))
            },
        )
        .await
}

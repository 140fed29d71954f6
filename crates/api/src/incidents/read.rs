//! `GET /v1/incidents/{id}`

use domain::{IncidentNumber, ResourceKind, Scope};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{Seen, SeenParams};
use http::error::Result;

use super::IncidentView;

/// Read an incident
///
/// The current state, or the state known at a past time.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}",
    operation_id = "read_incident",
    tag = "Incidents",
    params(crate::path::IncidentId, SeenParams),
    responses(
        (status = 200, description = "The incident", body = IncidentView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, request.organization()).await?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let incident = store::incidents::get(&mut tx, organization, &viewer, number, view).await?;
    let details = store::incidents::details(&mut tx, organization, &viewer, view, incident).await?;
    Answer::record(details.incident.version, &IncidentView::from((details, tx.at())).seen(named))
}

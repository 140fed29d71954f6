//! `GET /v1/incidents/{id}`

use domain::{IncidentNumber, Noun, Scope};

use super::IncidentView;
use crate::answer::Answer;
use crate::api::as_of::{Seen, SeenParams};
use crate::call::Call;
use crate::error::Result;

/// Read an incident
///
/// As it is, or as it was known at a moment of the past.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}",
    operation_id = "read_incident",
    tag = "Incidents",
    params(("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"), SeenParams),
    responses(
        (status = 200, description = "The incident", body = IncidentView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn read(call: Call) -> Result<Answer> {
    let number = call.path(0, Noun::Incident, IncidentNumber::parse)?;
    let mut query = call.query();
    let seen = Seen::read(&call, &mut query, Scope::IncidentsDelete)?;
    query.finish()?;
    let mut tx = call.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, call.organization()).await?;
    let incident = store::incidents::get(&mut tx, call.organization(), number, view).await?;
    Answer::record(incident.version, &IncidentView::seen(incident, named))
}

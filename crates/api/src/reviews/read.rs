//! `GET /v1/incidents/{id}/review`

use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::ReviewView;

/// Read the review of an incident
///
/// The latest edition, published or not. A review that has not been started is not found.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/review",
    operation_id = "read_review",
    tag = "Reviews",
    params(crate::path::IncidentId),
    responses(
        (status = 200, description = "The review", body = ReviewView),
        (status = 404, description = "Incident not found, or Review not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let details = store::reviews::get(&mut tx, organization, &viewer, incident).await?;
    Answer::record(details.review.version, &ReviewView::from(details))
}

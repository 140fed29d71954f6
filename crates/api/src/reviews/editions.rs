//! `GET /v1/incidents/{id}/review/editions`

use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use store::reviews::ReviewDetails;

use super::ReviewView;

/// List the published editions of a review
///
/// The latest first. What was published never changes, but for the numbers of the tasks that actions became.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/review/editions",
    operation_id = "list_review_editions",
    tag = "Reviews",
    params(crate::path::IncidentId, PageParams),
    responses(
        (status = 200, description = "Editions", body = List<ReviewView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let (before, limit) = (page.after, page.limit);
    let rows = store::reviews::editions(&mut tx, organization, &viewer, incident, before, limit).await?;
    let total = page.total(store::reviews::count_editions(&mut tx, organization, incident)).await?;
    let position = |details: &ReviewDetails| details.review.edition;
    Answer::list(&request.list(rows, total, position, ReviewView::from))
}

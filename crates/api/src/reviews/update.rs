//! `PATCH /v1/incidents/{id}/review`

use domain::json;
use domain::review::ReviewPatch;
use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::ReviewView;

/// Write the review of an incident
///
/// The first patch creates the review, later ones change it: absent members stay, so several people can write different
/// sections. The state `published` freezes the edition and needs `summary` and `root_cause`; what else is empty is in
/// `missing`. To correct a published review, send another state: it starts the next edition with the same texts, and
/// the published one stays in `GET …/review/editions`. The version and the dates of the incident stay as they are.
#[utoipa::path(
    patch,
    path = "/v1/incidents/{id}/review",
    operation_id = "update_review",
    tag = "Reviews",
    params(crate::path::IncidentId),
    request_body(content(
        (ReviewPatch = "application/json"),
        (ReviewPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The review", body = ReviewView),
        (status = 404, description = "Incident not found"),
        (status = 409, description = "The published review is frozen (`review_published`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let author = request.author();
    let patch = request
        .merge_patch_of_record(json::body::<ReviewPatch>, async move |tx, organization, patch, now| {
            store::reviews::patch_faults(tx, organization, &author, incident, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::reviews::update(tx, organization, author, incident, &expected, &patch).await
            },
            |details| Answer::record(details.review.version, &ReviewView::from(details)),
        )
        .await
}

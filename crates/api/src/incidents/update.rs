//! `PATCH /v1/incidents/{id}`

use domain::incident::{IncidentPatch, Viewer};
use domain::json;
use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use store::View;

use super::{IncidentView, view};

/// Change an incident
///
/// The rules are checked on the patched record. A patch that changes nothing does not change the version.
#[utoipa::path(
    patch,
    path = "/v1/incidents/{id}",
    operation_id = "update_incident",
    tag = "Incidents",
    params(crate::path::IncidentId),
    request_body(content(
        (IncidentPatch = "application/json"),
        (IncidentPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The incident", body = IncidentView),
        (status = 404, description = "Incident not found"),
        (status = 409, description = "`transition_not_allowed` or `close_requirements`"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let author = request.author();
    let patch = request
        .merge_patch_of_record(json::body::<IncidentPatch>, async move |tx, organization, patch, now| {
            store::incidents::patch_faults(tx, organization, &author, number, patch, now).await
        })
        .await?;
    change(request, number, patch).await
}

/// Changes an incident and responds with it.
pub(super) async fn change(
    mut request: ApiRequest,
    number: IncidentNumber,
    patch: IncidentPatch,
) -> Result<Answer> {
    let (expected, at) = (request.expected_version(), (request.app.db().clock())());
    request
        .write(
            async move |tx, organization, author| {
                let incident =
                    store::incidents::update(tx, organization, author, number, &expected, &patch).await?;
                let viewer = Viewer::of(author);
                store::incidents::details(tx, organization, &viewer, View::now(), incident).await
            },
            move |details| view::changed(details, at),
        )
        .await
}

//! `/v1/incidents/{id}/tags`

use domain::incident::Incident;
use domain::tag::TagReference;
use domain::{IncidentNumber, TagId};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use serde::Serialize;
use utoipa::ToSchema;

use crate::listed;
use crate::tags::TagView;

/// The outcome.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentTagAdded)]
struct AddedView {
    /// A sentence for a person.
    #[schema(value_type = String, max_length = 500, examples("Tag added to incident"))]
    message: &'static str,
}

/// Add a tag to an incident
///
/// The incident's version does not change.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/tags",
    operation_id = "add_incident_tag",
    tag = "Incidents",
    params(crate::path::IncidentId),
    request_body = TagReference,
    responses(
        (status = 201, description = "Tag added to incident", body = AddedView),
        (status = 404, description = "Incident or tag not found"),
        (status = 409, description = "Tag already associated with incident"),
    )
)]
pub(crate) async fn add(request: ApiRequest) -> Result<Answer> {
    listed::add_tag::<Incident, _>(
        request,
        IncidentNumber::parse,
        AddedView { message: "Tag added to incident" },
    )
    .await
}

/// List an incident's tags
///
/// Sorted by name, without regard to case.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/tags",
    operation_id = "list_incident_tags",
    tag = "Incidents",
    params(crate::path::IncidentId, PageParams),
    responses(
        (status = 200, description = "The incident's tags", body = List<TagView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    listed::list_tags::<Incident>(request).await
}

/// Put a tag on an incident
///
/// Without a body. One that is on the incident already stays, and nothing is journaled. The incident's version does not change.
#[utoipa::path(
    put,
    path = "/v1/incidents/{id}/tags/{tag_id}",
    operation_id = "put_incident_tag",
    tag = "Incidents",
    params(
        crate::path::IncidentId,
        ("tag_id" = inline(TagId), Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "The tag is on the incident"),
        (status = 404, description = "Incident or tag not found"),
    )
)]
pub(crate) async fn put(request: ApiRequest) -> Result<Answer> {
    listed::change_tag::<Incident>(request, true).await
}

/// Remove a tag from an incident
///
/// The incident's version does not change.
#[utoipa::path(
    delete,
    path = "/v1/incidents/{id}/tags/{tag_id}",
    operation_id = "remove_incident_tag",
    tag = "Incidents",
    params(
        crate::path::IncidentId,
        ("tag_id" = inline(TagId), Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "Tag removed from incident"),
        (status = 404, description = "Incident or tag not found"),
    )
)]
pub(crate) async fn remove(request: ApiRequest) -> Result<Answer> {
    listed::change_tag::<Incident>(request, false).await
}

//! `/v1/incidents/{id}/tags`

use domain::json;
use domain::tag::TagReference;
use domain::{IncidentNumber, ResourceKind, TagId};
use hyper::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::tags::TagView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};

/// The outcome.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentTagAdded)]
struct AddedView {
    /// A sentence for a person.
    #[schema(value_type = String, examples("Tag added to incident"))]
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
    params(("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`")),
    request_body = TagReference,
    responses(
        (status = 201, description = "Tag added to incident", body = AddedView),
        (status = 404, description = "Incident or tag not found"),
        (status = 409, description = "Tag already associated with incident"),
    )
)]
pub(crate) async fn add(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::IncidentOrTag, IncidentNumber::parse)?;
    request.no_query()?;
    let TagReference { tag_id: tag } = request.json(json::body).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::incidents::add_tag(tx, organization, author, number, tag).await
            },
            move |()| {
                // A GET of the location returns the whole list, so this response carries no entity tag.
                let added = Answer::outcome(&AddedView { message: "Tag added to incident" })?;
                let location = Some(format!("/v1/incidents/{number}/tags"));
                Ok(Answer { status: StatusCode::CREATED, location, ..added })
            },
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
    params(("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"), PageParams),
    responses(
        (status = 200, description = "The incident's tags", body = List<TagView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    query.finish()?;
    let after = page.after.as_deref();
    let mut tx = request.app.db().read().await?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let rows = store::incidents::list_tags(&mut tx, organization, &viewer, number, after, page.limit).await?;
    let total = page.total(store::incidents::count_tags(&mut tx, organization, number)).await?;
    Answer::list(&request.list(rows, total, |tag| tag.name.clone(), TagView::from))
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
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("tag_id" = Uuid, Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "The tag is on the incident"),
        (status = 404, description = "Incident or tag not found"),
    )
)]
pub(crate) async fn put(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::IncidentOrTag, IncidentNumber::parse)?;
    let tag = request.path(1, ResourceKind::IncidentOrTag, TagId::parse)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::incidents::put_tag(tx, organization, author, number, tag).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
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
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("tag_id" = Uuid, Path, description = "Tag id"),
    ),
    responses(
        (status = 204, description = "Tag removed from incident"),
        (status = 404, description = "Incident or tag not found"),
    )
)]
pub(crate) async fn remove(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::IncidentOrTag, IncidentNumber::parse)?;
    let tag = request.path(1, ResourceKind::IncidentOrTag, TagId::parse)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::incidents::remove_tag(tx, organization, author, number, tag).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

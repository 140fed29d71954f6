//! `/v1/incidents/{id}/links`

use domain::json::body;
use domain::link::{LinkedType, NewLink};
use domain::{IncidentNumber, ResourceKind, Scope, Scopes};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use hyper::StatusCode;
use store::View;
use store::links::LinkEnd;
use store::list::TimeRange;

use crate::links::{self, LinkView};
use crate::shared::number;

/// Link an incident
///
/// To a risk, a document, another incident, or an address of another system. Needs `risks:read` or `documents:read` for a
/// risk or a document. The incident's version does not change.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/links",
    operation_id = "add_incident_link",
    tag = "Incidents",
    params(crate::path::IncidentId),
    request_body = NewLink,
    responses(
        (status = 201, description = "Link added to incident", body = LinkView),
        (status = 404, description = "Incident not found"),
        (status = 409, description = "Already linked"),
    )
)]
pub(crate) async fn add(mut request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let new = request.json(body).await?;
    if let Some(scope) = scope_to_read(&new) {
        request.permissions().require(Scopes::from(scope))?;
    }
    request
        .write(
            async move |tx, organization, author| {
                store::links::add(tx, organization, author, incident, &new).await
            },
            move |linked| {
                let other = linked.other.id.as_deref().and_then(IncidentNumber::parse_listed);
                // A GET of the location returns the whole list, so this response carries no entity tag.
                let added = Answer::outcome(&LinkView::from(linked))?;
                let location = Some(format!("/v1/incidents/{incident}/links"));
                Ok(Answer { status: StatusCode::CREATED, location, ..added }.naming(other))
            },
        )
        .await
}

/// The scope with which what the link leads to is read, beside that of the route.
fn scope_to_read(new: &NewLink) -> Option<Scope> {
    match new.to.linked_type() {
        LinkedType::Risk => Some(Scope::RisksRead),
        LinkedType::Document => Some(Scope::DocumentsRead),
        LinkedType::Incident | LinkedType::Url => None,
    }
}

/// List an incident's links
///
/// Its own links, and those of other incidents to it, in the order in which they were added. Links to deleted records,
/// and to records that the caller may not read, are absent.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/links",
    operation_id = "list_incident_links",
    tag = "Incidents",
    params(crate::path::IncidentId, PageParams),
    responses(
        (status = 200, description = "The incident's links", body = List<LinkView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    store::incidents::get(&mut tx, request.organization(), &request.viewer(), incident, View::now()).await?;
    let end = LinkEnd::Incident(incident);
    links::page(request, &mut tx, end, TimeRange::default(), page).await
}

/// Remove a link from an incident
///
/// One of its own; a link that leads to it is removed from the incident that it belongs to. The incident's version does not
/// change.
#[utoipa::path(
    delete,
    path = "/v1/incidents/{id}/links/{number}",
    operation_id = "remove_incident_link",
    tag = "Incidents",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, description = "Number of the link", minimum = 1),
    ),
    responses(
        (status = 204, description = "Link removed from incident"),
        (status = 404, description = "Link not found"),
    )
)]
pub(crate) async fn remove(mut request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let link = request.path(1, ResourceKind::Link, number)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::links::remove(tx, organization, author, incident, link).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

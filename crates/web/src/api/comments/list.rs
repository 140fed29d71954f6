//! `GET /v1/incidents/{id}/comments`

use domain::note::Comment;
use domain::{IncidentNumber, ResourceKind, Scope};
use store::comments::CommentSort;
use store::list::{ListQuery, Position};

use super::CommentView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::query::SortParam;

/// List the comments on an incident
///
/// The first one first, unless `sort` says otherwise.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/comments",
    operation_id = "list_incident_comments",
    tag = "Comments",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        SortParam<CommentSort>, PageParams, SeenParams,
    ),
    responses(
        (status = 200, description = "Comments", body = List<CommentView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<Position>(&mut query);
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    let sort = query.sort::<CommentSort>();
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let asked = ListQuery { view, filter: (), sort, after: page.after.clone() };
    let found =
        store::comments::list(&mut tx, organization, &request.viewer(), incident, &asked, page.limit).await?;
    let total = page.total(store::comments::count(&mut tx, organization, incident, view)).await?;
    let position = |comment: &Comment| sort.by.position(comment);
    let view = |comment| CommentView::of(comment, &found.incident, &found.mentions);
    Answer::list(&request.list(found.value, total, position, view).seen(named))
}

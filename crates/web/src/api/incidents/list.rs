//! `GET /v1/incidents`

use domain::{IncidentNumber, Scope};
use store::incidents::IncidentDetails;

use super::IncidentView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;
use crate::http::page::{List, PageParams};

/// List incidents
///
/// Sorted by number, the latest first.
#[utoipa::path(
    get,
    path = "/v1/incidents",
    operation_id = "list_incidents",
    tag = "Incidents",
    params(PageParams, SeenParams),
    responses((status = 200, description = "Incidents", body = List<IncidentView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, request.organization()).await?;
    let before = page.after.map(IncidentNumber);
    let (organization, viewer) = (request.organization(), request.viewer());
    let rows = store::incidents::list(&mut tx, organization, &viewer, view, before, page.limit).await?;
    let total = page.total(store::incidents::count(&mut tx, organization, &viewer, view)).await?;
    let has_more = rows.has_more;
    let rows = store::incidents::details_of_all(&mut tx, organization, &viewer, rows.rows).await?;
    let (rows, at) = (store::Page { rows, has_more }, tx.at());
    let position = |details: &IncidentDetails| details.incident.number.number();
    let list = request.list(rows, total, position, |details| IncidentView::new(details, at));
    Answer::list(&list.seen(named))
}

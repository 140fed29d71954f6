//! `GET /v1/incidents`

use domain::Scope;
use store::incidents::{IncidentDetails, IncidentSort};
use store::list::{ListQuery, Position};

use super::IncidentView;
use super::filter::IncidentFilterParams;
use crate::api::search::searched_up_to;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::query::{SearchParam, SortParam};
use crate::input::incident_filter;

/// List incidents
///
/// The latest first, unless `sort` says otherwise; with `q` the best matches first.
#[utoipa::path(
    get,
    path = "/v1/incidents",
    operation_id = "list_incidents",
    tag = "Incidents",
    params(IncidentFilterParams, SearchParam, SortParam<IncidentSort>, PageParams, SeenParams),
    responses((status = 200, description = "Incidents", body = List<IncidentView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<Position>(&mut query);
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    let is_ranked = query.has("q") && !query.has("sort");
    let (filter, sort) = (incident_filter::read(&mut query, request.actor()), query.sort::<IncidentSort>());
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let asked = ListQuery { view, filter, sort, after: page.after.clone() };
    let (rows, ranks) = if is_ranked {
        let (rows, ranks) =
            store::incidents::list_ranked(&mut tx, organization, &viewer, &asked, page.limit).await?;
        (rows, Some(ranks))
    } else {
        (store::incidents::list(&mut tx, organization, &viewer, &asked, page.limit).await?, None)
    };
    let total = store::incidents::count(&mut tx, organization, &viewer, view, &asked.filter);
    let total = page.total(total).await?;
    let has_more = rows.has_more;
    let rows = store::incidents::details_of_all(&mut tx, organization, &viewer, view, rows.rows).await?;
    let (rows, at) = (store::Page { rows, has_more }, tx.at());
    let search_seq = searched_up_to(&mut tx, organization, asked.filter.q.as_ref()).await?;
    let position = |details: &IncidentDetails| match &ranks {
        Some(ranks) => ranks.position(details.incident.number.number()),
        None => sort.by.position(&details.incident),
    };
    let list = request.list(rows, total, position, |details| IncidentView::new(details, at));
    Ok(Answer::list(&list.seen(named))?.searched(search_seq))
}

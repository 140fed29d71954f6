//! `GET /v1/incidents/{id}/entries`

use domain::note::Entry;
use domain::{IncidentNumber, ResourceKind, Scope};
use store::entries::{EntryFilter, EntrySort};
use store::list::{ListQuery, Position};

use super::EntryView;
use super::view::EntryKindView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::query::SortParam;

/// The filters, for the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `list` reads")]
pub(crate) struct EntryFilterParams {
    /// Entries of one of these kinds.
    #[param(inline)]
    kind: Option<Vec<EntryKindView>>,
    /// Whether the entries are pinned.
    pinned: Option<bool>,
}

/// List the entries of a timeline
///
/// In the order of the times that they speak of, the earliest first, unless `sort` says otherwise.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/entries",
    operation_id = "list_incident_entries",
    tag = "Entries",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        EntryFilterParams, SortParam<EntrySort>, PageParams, SeenParams,
    ),
    responses(
        (status = 200, description = "Entries", body = List<EntryView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<Position>(&mut query);
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    let pinned = query.parsed("pinned", "must be true or false", |text| text.parse().ok());
    let (filter, sort) = (EntryFilter { kind: query.words("kind"), pinned }, query.sort::<EntrySort>());
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let asked = ListQuery { view, filter, sort, after: page.after.clone() };
    let rows =
        store::entries::list(&mut tx, organization, &request.viewer(), incident, &asked, page.limit).await?;
    let total = store::entries::count(&mut tx, organization, incident, view, &asked.filter);
    let total = page.total(total).await?;
    let position = |entry: &Entry| sort.by.position(entry);
    Answer::list(&request.list(rows, total, position, EntryView::from).seen(named))
}

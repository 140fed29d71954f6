//! `GET /v1/incidents/export`

use axum::response::Response;
use domain::Scope;
use store::incidents::IncidentDetails;

use super::IncidentView;
use super::filter::IncidentFilterParams;
use crate::api::search::searched_up_to;
use crate::export::{Fields, FormatParam, INCIDENT_COLUMNS, Incidents, Lines};
use crate::http::answer::with_search_seq;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;
use crate::http::query::SearchParam;
use crate::input::incident_filter;

type FieldsParam = Fields<Incidents, IncidentView>;

/// Export incidents
///
/// All incidents that the list with these filters has, in the order of their numbers, as of one journal entry: the present one
/// unless `as_of` or `as_of_seq` says otherwise. The file is made while it is sent, however long it is. A client that takes no
/// data for 30 seconds is disconnected, and a file that breaks off without its end is not complete.
///
/// CSV has one line of names and then a line per incident. A text that a spreadsheet would take for a formula has a `'` before
/// it. NDJSON has an incident per line, as the list shows it. All times are in UTC.
#[utoipa::path(
    get,
    path = "/v1/incidents/export",
    operation_id = "export_incidents",
    tag = "Incidents",
    params(IncidentFilterParams, SearchParam, SeenParams, FormatParam, (
        "fields" = inline(Option<FieldsParam>), Query, style = Form, explode = false,
        description = "The columns of a CSV file, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses((status = 200, description = "The file", content((String = "text/csv"), (IncidentView = "application/x-ndjson"))))
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    let mut query = request.query();
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    let filter = incident_filter::read(&mut query, request.actor());
    let lines =
        Lines::read(&mut query, INCIDENT_COLUMNS, |row: IncidentDetails, at| IncidentView::new(row, at));
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, seq) = seen.resolve_to_entry(&mut tx, request.organization()).await?;
    let (db, organization, viewer) = (request.app.db().clone(), request.organization(), request.viewer());
    let search_seq = searched_up_to(&mut tx, organization, filter.q.as_ref()).await?;
    let file = Incidents { db, organization, viewer, view, seq, filter }.file(&mut tx, lines).await?;
    Ok(with_search_seq(file, search_seq))
}

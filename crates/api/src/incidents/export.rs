//! `GET /v1/incidents/export`

use axum::response::Response;
use domain::incident::Incident;
use http::api_request::ApiRequest;
use http::as_of::SeenParams;
use http::error::Result;
use http::query::SearchParam;
use lists::export::{Export, Fields, FormatParam};
use lists::input::incident_filter::IncidentFilterParams;

use super::IncidentView;
use crate::listed;

type FieldsParam = Fields<Export<Incident>, IncidentView>;

/// Export incidents
///
/// All incidents that match the filters, by number, as of one journal entry: the current one unless `as_of` or
/// `as_of_seq` is sent. The file is streamed. A client that takes no data for 30 seconds is disconnected, and a file
/// that breaks off without its end is not complete.
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
        description = "The columns of a CSV file or a workbook, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/csv"),
            (IncidentView = "application/x-ndjson"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 409, description = "`export_too_large`"),
    )
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    listed::export::<Incident>(request).await
}

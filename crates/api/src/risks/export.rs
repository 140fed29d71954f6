//! `GET /v1/risks/export`

use axum::response::Response;
use domain::risk::Risk;
use http::api_request::ApiRequest;
use http::as_of::SeenParams;
use http::error::Result;
use http::query::SearchParam;
use lists::export::{Export, Fields, FormatParam};
use lists::input::risk_filter::RiskFilterParams;

use super::RiskView;
use crate::listed;

type FieldsParam = Fields<Export<Risk>, RiskView>;

/// Export risks
///
/// All risks that the list with these filters has, in the order of their numbers, as of one journal entry: like the export of
/// incidents.
#[utoipa::path(
    get,
    path = "/v1/risks/export",
    operation_id = "export_risks",
    tag = "Risks",
    params(RiskFilterParams, SearchParam, SeenParams, FormatParam, (
        "fields" = inline(Option<FieldsParam>), Query, style = Form, explode = false,
        description = "The columns of a CSV file or a workbook, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/csv"),
            (RiskView = "application/x-ndjson"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 409, description = "`export_too_large`"),
    )
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    listed::export::<Risk>(request).await
}

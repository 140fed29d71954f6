//! `GET /v1/risks/export`

use axum::response::Response;
use domain::Scope;
use domain::risk::Risk;

use super::RiskView;
use super::list::RiskFilterParams;
use crate::api::search::searched_up_to;
use crate::export::{Fields, FormatParam, Lines, RISK_COLUMNS, Risks};
use crate::http::answer::with_search_seq;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;
use crate::http::query::SearchParam;
use crate::input::risk_filter;

type FieldsParam = Fields<Risks, RiskView>;

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
        description = "The columns of a CSV file, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses((status = 200, description = "The file", content((String = "text/csv"), (RiskView = "application/x-ndjson"))))
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    let mut query = request.query();
    let seen = Seen::read(request.permissions(), &mut query, Scope::RisksDelete)?;
    let filter = risk_filter::read(&mut query, request.actor());
    let lines = Lines::read(&mut query, RISK_COLUMNS, |row: Risk, _| RiskView::from(row));
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, seq) = seen.resolve_to_entry(&mut tx, request.organization()).await?;
    let (db, organization) = (request.app.db().clone(), request.organization());
    let search_seq = searched_up_to(&mut tx, organization, filter.q.as_ref()).await?;
    let file = Risks { db, organization, view, seq, filter }.file(&mut tx, lines).await?;
    Ok(with_search_seq(file, search_seq))
}

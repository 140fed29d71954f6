//! `GET /v1/risks`

use domain::{RiskNumber, Scope};

use super::RiskView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;
use crate::http::page::{List, PageParams};

/// List risks
///
/// Sorted by number, the latest first.
#[utoipa::path(
    get,
    path = "/v1/risks",
    operation_id = "list_risks",
    tag = "Risks",
    params(PageParams, SeenParams),
    responses((status = 200, description = "Risks", body = List<RiskView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    let seen = Seen::read(request.permissions(), &mut query, Scope::RisksDelete)?;
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, request.organization()).await?;
    let before = page.after.map(RiskNumber);
    let rows = store::risks::list(&mut tx, request.organization(), view, before, page.limit).await?;
    let total = page.total(store::risks::count(&mut tx, request.organization(), view)).await?;
    Answer::list(&request.list(rows, total, |risk| risk.number.number(), RiskView::from).seen(named))
}

//! `GET /v1/risks`

use domain::{RiskNumber, Scope};

use super::RiskView;
use crate::answer::Answer;
use crate::api::as_of::{Seen, SeenParams};
use crate::call::Call;
use crate::error::Result;
use crate::page::{List, PageParams};

/// List risks
///
/// By number, the latest first.
#[utoipa::path(
    get,
    path = "/v1/risks",
    operation_id = "list_risks",
    tag = "Risks",
    params(PageParams, SeenParams),
    responses((status = 200, description = "Risks", body = List<RiskView>))
)]
pub(crate) async fn list(call: Call) -> Result<Answer> {
    let mut query = call.query();
    let page = call.page::<i64>(&mut query);
    let seen = Seen::read(&call, &mut query, Scope::RisksDelete)?;
    query.finish()?;
    let mut tx = call.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, call.organization()).await?;
    let before = page.after.map(RiskNumber);
    let rows = store::risks::list(&mut tx, call.organization(), view, before, page.limit).await?;
    let total = page.total(store::risks::count(&mut tx, call.organization(), view)).await?;
    Answer::list(&call.list(rows, total, |risk| risk.number.number(), RiskView::from).seen(named))
}

//! `GET /v1/risks/{risk_id}`

use domain::{Noun, RiskNumber, Scope};

use super::RiskView;
use crate::answer::Answer;
use crate::api::as_of::{Seen, SeenParams};
use crate::call::Call;
use crate::error::Result;

/// Read a risk
///
/// As it is, or as it was known at a moment of the past.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}",
    operation_id = "read_risk",
    tag = "Risks",
    params(("risk_id" = String, Path, description = "`RSK-` and the number"), SeenParams),
    responses(
        (status = 200, description = "The risk", body = RiskView),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn read(call: Call) -> Result<Answer> {
    let number = call.path(0, Noun::Risk, RiskNumber::parse)?;
    let mut query = call.query();
    let seen = Seen::read(&call, &mut query, Scope::RisksDelete)?;
    query.finish()?;
    let mut tx = call.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, call.organization()).await?;
    let risk = store::risks::get(&mut tx, call.organization(), number, view).await?;
    Answer::record(risk.version, &RiskView::seen(risk, named))
}

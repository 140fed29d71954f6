//! `GET /v1/risks/{risk_id}`

use domain::{ResourceKind, RiskNumber, Scope};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{Seen, SeenParams};
use http::error::Result;

use super::RiskView;

/// Read a risk
///
/// The current state, or the state known at a past time.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}",
    operation_id = "read_risk",
    tag = "Risks",
    params(crate::path::RiskId, SeenParams),
    responses(
        (status = 200, description = "The risk", body = RiskView),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    let mut query = request.query();
    let seen = Seen::read(request.permissions(), &mut query, Scope::RisksDelete)?;
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, request.organization()).await?;
    let risk = store::risks::get(&mut tx, request.organization(), number, view).await?;
    Answer::record(risk.version, &RiskView::seen(risk, named))
}

//! `GET /v1/risks/{risk_id}/acceptances/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{AcceptanceView, acceptance_in_path};

/// Read an acceptance of a risk
///
/// Also one that has ended.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/acceptances/{number}",
    operation_id = "read_acceptance",
    tag = "Acceptances",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the acceptance"),
    ),
    responses(
        (status = 200, description = "The acceptance", body = AcceptanceView),
        (status = 404, description = "Risk not found, or Acceptance not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let (risk, number) = acceptance_in_path(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let found = store::acceptances::get(&mut tx, request.organization(), risk, number).await?;
    Answer::record(None, &AcceptanceView::from(found))
}

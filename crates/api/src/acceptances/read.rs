//! `GET /v1/risks/{risk_id}/acceptances/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{AsOfParams, Seen};
use http::error::Result;

use super::{AcceptanceView, acceptance_in_path};

/// Read an acceptance of a risk
///
/// Also one that has ended. With `as_of` as it was known then.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/acceptances/{number}",
    operation_id = "read_acceptance",
    tag = "Acceptances",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the acceptance"),
        AsOfParams,
    ),
    responses(
        (status = 200, description = "The acceptance", body = AcceptanceView),
        (status = 404, description = "Risk not found, or Acceptance not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let (risk, number) = acceptance_in_path(&request)?;
    let mut query = request.query();
    let seen = Seen::read_as_of(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let found = store::acceptances::get(&mut tx, organization, view, risk, number).await?;
    Answer::record(None, &AcceptanceView::from(found).seen(named))
}

//! `POST /v1/risks/{risk_id}/acceptances/{number}/revoke`

use domain::accepting::Revocation;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{AcceptanceView, acceptance_in_path};

/// Revoke an acceptance of a risk
///
/// What was accepted is no longer accepted, for a reason that stays in the record.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/acceptances/{number}/revoke",
    operation_id = "revoke_acceptance",
    tag = "Acceptances",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the acceptance"),
    ),
    request_body = Revocation,
    responses(
        (status = 200, description = "The acceptance", body = AcceptanceView),
        (status = 404, description = "Risk not found, or Acceptance not found"),
        (status = 409, description = "It is neither accepted nor stale (`decision_not_possible`)"),
    )
)]
pub(crate) async fn revoke(mut request: ApiRequest) -> Result<Answer> {
    let which = acceptance_in_path(&request)?;
    request.no_query()?;
    let revocation = request.json(json::body::<Revocation>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::acceptances::revoke(tx, organization, author, which, &revocation).await
            },
            |ended| Answer::outcome(&AcceptanceView::from(ended)),
        )
        .await
}

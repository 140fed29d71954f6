//! `POST /v1/risks/{risk_id}/acceptances/{number}/withdraw`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{AcceptanceView, acceptance_in_path};

/// Withdraw a request to accept a risk
///
/// Who has asked may do that, and the owner of the risk.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/acceptances/{number}/withdraw",
    operation_id = "withdraw_acceptance",
    tag = "Acceptances",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the acceptance"),
    ),
    responses(
        (status = 200, description = "The acceptance", body = AcceptanceView),
        (status = 404, description = "Risk not found, or Acceptance not found"),
        (status = 403, description = "Neither who has asked nor the owner (`not_decider`)"),
        (status = 409, description = "It is not requested any more (`decision_not_possible`)"),
    )
)]
pub(crate) async fn withdraw(mut request: ApiRequest) -> Result<Answer> {
    let which = acceptance_in_path(&request)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::acceptances::withdraw(tx, organization, author, which).await
            },
            |ended| Answer::outcome(&AcceptanceView::from(ended)),
        )
        .await
}

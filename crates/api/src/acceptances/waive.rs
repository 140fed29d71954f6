//! `POST /v1/risks/{risk_id}/acceptances/{number}/waive-four-eyes`

use domain::accepting::FourEyesWaiver;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{AcceptanceView, acceptance_in_path};

/// Let those decide about a request to accept a risk who made it
///
/// Waives four eyes for one request, for a reason that stays in the record. Whom the band names is the same.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/acceptances/{number}/waive-four-eyes",
    operation_id = "waive_four_eyes_of_acceptance",
    tag = "Acceptances",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the acceptance"),
    ),
    request_body = FourEyesWaiver,
    responses(
        (status = 200, description = "The request", body = AcceptanceView),
        (status = 404, description = "Risk not found, or Acceptance not found"),
        (status = 409, description = "It is no open request (`decision_not_possible`)"),
    )
)]
pub(crate) async fn waive_four_eyes(mut request: ApiRequest) -> Result<Answer> {
    let which = acceptance_in_path(&request)?;
    request.no_query()?;
    let waiver = request.json(json::body::<FourEyesWaiver>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::acceptances::waive_four_eyes(tx, organization, author, which, &waiver).await
            },
            |waived| Answer::outcome(&AcceptanceView::from(waived)),
        )
        .await
}

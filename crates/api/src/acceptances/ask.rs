//! `POST /v1/risks/{risk_id}/acceptances`

use domain::accepting::NewAcceptance;
use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::AcceptanceView;

/// Ask for the acceptance of a risk
///
/// Asks those to decide whom the band of the latest evaluation names. The request names that evaluation. To extend or renew an
/// acceptance, ask for another one: it takes the place of the earlier one when it is accepted.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/acceptances",
    operation_id = "request_acceptance",
    tag = "Acceptances",
    params(crate::path::RiskId),
    request_body = NewAcceptance,
    responses(
        (status = 201, description = "The request", body = AcceptanceView),
        (status = 404, description = "Risk not found"),
        (status = 409, description = "The risk is closed (`risk_closed`), is not evaluated by the present scale (`not_evaluated`), has \
            another evaluation by now (`risk_changed`), cannot be accepted (`never_accepted`), or has an open request \
            (`acceptance_requested`)"),
    )
)]
pub(crate) async fn ask(mut request: ApiRequest) -> Result<Answer> {
    let risk = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new = request.json(move |body, faults| NewAcceptance::read(body, now, faults)).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::acceptances::ask(tx, organization, author, risk, &new).await
            },
            move |made| {
                let location = format!("/v1/risks/{risk}/acceptances/{}", made.acceptance.number);
                Answer::created(location, None, &AcceptanceView::from(made))
            },
        )
        .await
}

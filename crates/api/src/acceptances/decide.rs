//! `POST /v1/risks/{risk_id}/acceptances/{number}/decision` and `…/record`

use domain::accepting::{AcceptanceDecision, RecordedAcceptance};
use domain::decision::Recorded;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{AcceptanceView, acceptance_in_path};

/// Decide about a request to accept a risk
///
/// A person decides whom the band of the latest evaluation names: the owner of the risk, or their deputy for today, who need
/// `risks:read` only, or named people or members of a group with `risks:accept`; where nobody is needed, the owner or anybody with
/// `risks:accept`. While four eyes are on and not waived, it is not who has asked. Accepting freezes the rating and the treatment plan, approves
/// both, and ends an earlier acceptance. What is evaluated by an earlier scale can only be refused, by whom that scale names.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/acceptances/{number}/decision",
    operation_id = "decide_acceptance",
    tag = "Acceptances",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the acceptance"),
    ),
    request_body = AcceptanceDecision,
    responses(
        (status = 200, description = "The acceptance", body = AcceptanceView),
        (status = 404, description = "Risk not found, or Acceptance not found"),
        (status = 403, description = "Somebody else has to decide this (`not_decider`)"),
        (status = 409, description = "The risk has another evaluation or version by now (`risk_changed`), is not evaluated by the present scale \
            (`not_evaluated`), cannot be accepted (`never_accepted`) or has no owner (`owner_missing`), the last day has passed \
            (`until_passed`), or it was decided already (`decision_not_possible`)"),
    )
)]
pub(crate) async fn decide(mut request: ApiRequest) -> Result<Answer> {
    let decision = request.json(json::body::<AcceptanceDecision>).await?;
    take(request, decision, None).await
}

/// Record a decision about a request to accept a risk
///
/// Of people who do not sign in, such as a board. A person with `risks:accept` records it who has not asked, unless four eyes are
/// off or waived.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/acceptances/{number}/record",
    operation_id = "record_acceptance_decision",
    tag = "Acceptances",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the acceptance"),
    ),
    request_body = RecordedAcceptance,
    responses(
        (status = 200, description = "The acceptance", body = AcceptanceView),
        (status = 404, description = "Risk not found, or Acceptance not found"),
        (status = 403, description = "Somebody else has to record this (`not_decider`)"),
        (status = 409, description = "The risk has another evaluation or version by now (`risk_changed`), is not evaluated by the present scale \
            (`not_evaluated`) or cannot be accepted (`never_accepted`), the last day has passed (`until_passed`), or it was decided \
            already (`decision_not_possible`)"),
    )
)]
pub(crate) async fn record(mut request: ApiRequest) -> Result<Answer> {
    let RecordedAcceptance { decision, recorded } = request.json(json::body::<RecordedAcceptance>).await?;
    take(request, decision, Some(recorded)).await
}

async fn take(
    request: ApiRequest,
    decision: AcceptanceDecision,
    recorded: Option<Recorded>,
) -> Result<Answer> {
    let which = acceptance_in_path(&request)?;
    request.no_query()?;
    request
        .write(
            async move |tx, organization, author| {
                let recorded = recorded.as_ref();
                store::acceptances::decide(tx, organization, author, which, &decision, recorded).await
            },
            |decided| Answer::outcome(&AcceptanceView::from(decided)),
        )
        .await
}

//! `POST /v1/risks`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::RiskView;
use domain::json;
use domain::risk::NewRisk;

/// Create a risk
///
/// Its current rating comes from its evaluations.
#[utoipa::path(
    post,
    path = "/v1/risks",
    operation_id = "create_risk",
    tag = "Risks",
    request_body = NewRisk,
    responses(
        (status = 201, description = "Risk created", body = RiskView),
        (status = 404, description = "Risk not found: it was created under this `Idempotency-Key` and is absent by now"),
        (status = 409, description = "Another risk, which may be deleted, has this reference (`external_ref_taken`)"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(json::body::<NewRisk>).await?;
    request
        .write(
            async move |tx, organization, author| store::risks::create(tx, organization, author, &new).await,
            |risk| Answer::created(format!("/v1/risks/{}", risk.number), risk.version, &RiskView::from(risk)),
        )
        .await
}

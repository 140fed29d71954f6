//! `PATCH /v1/risks/{risk_id}`

use domain::json;
use domain::risk::RiskPatch;
use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::RiskView;

/// Change a risk
///
/// The rules are checked on the patched record. A patch that changes nothing does not change the version.
#[utoipa::path(
    patch,
    path = "/v1/risks/{risk_id}",
    operation_id = "update_risk",
    tag = "Risks",
    params(crate::path::RiskId),
    request_body(content(
        (RiskPatch = "application/json"),
        (RiskPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The risk", body = RiskView),
        (status = 404, description = "Risk not found"),
        (status = 409, description = "Another risk, which may be deleted, has this reference (`external_ref_taken`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    request.no_query()?;
    let patch = request
        .merge_patch_of_record(json::body::<RiskPatch>, async move |tx, organization, patch, now| {
            store::risks::patch_faults(tx, organization, number, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::risks::update(tx, organization, author, number, &expected, &patch).await
            },
            |risk| Answer::record(risk.version, &RiskView::from(risk)),
        )
        .await
}

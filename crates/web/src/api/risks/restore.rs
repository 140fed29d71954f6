//! `POST /v1/risks/{risk_id}/restore`

use domain::{ResourceKind, RiskNumber};

use super::RiskView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;

/// Restore a risk
///
/// Restores a deleted risk with its evaluations and tags. A risk that is not deleted is not found.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/restore",
    operation_id = "restore_risk",
    tag = "Risks",
    params(("risk_id" = String, Path, description = "`RSK-` and the number")),
    responses(
        (status = 200, description = "Risk restored", body = RiskView),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn restore(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    request.no_query()?;
    request.no_body()?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::risks::restore(tx, organization, author, number, &expected).await
            },
            |risk| Answer::record(risk.version, &RiskView::from(risk)),
        )
        .await
}

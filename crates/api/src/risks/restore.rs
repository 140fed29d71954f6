//! `POST /v1/risks/{risk_id}/restore`

use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::RiskView;
use crate::by_path;

/// Restore a risk
///
/// Restores a deleted risk with its evaluations and tags. A risk that is not deleted is not found.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/restore",
    operation_id = "restore_risk",
    tag = "Risks",
    params(crate::path::RiskId),
    responses(
        (status = 200, description = "Risk restored", body = RiskView),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn restore(request: ApiRequest) -> Result<Answer> {
    by_path::change(request, ResourceKind::Risk, RiskNumber::parse, store::risks::restore, |risk| {
        Answer::record(risk.version, &RiskView::from(risk))
    })
    .await
}

//! `DELETE /v1/risks/{risk_id}`

use domain::{ResourceKind, RiskNumber};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::by_path;

/// Delete a risk
///
/// Soft-deletes a risk: it no longer appears in reads and figures, and can be restored until it is purged from the
/// trash, `trash_days` days after its deletion (a setting of the organization).
#[utoipa::path(
    delete,
    path = "/v1/risks/{risk_id}",
    operation_id = "delete_risk",
    tag = "Risks",
    params(crate::path::RiskId),
    responses(
        (status = 204, description = "Risk deleted"),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    by_path::delete(request, ResourceKind::Risk, RiskNumber::parse, store::risks::delete).await
}

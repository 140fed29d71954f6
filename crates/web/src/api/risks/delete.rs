//! `DELETE /v1/risks/{risk_id}`

use domain::{ResourceKind, RiskNumber};

use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;

/// Delete a risk
///
/// Soft-deletes a risk: it no longer appears in reads and figures, and can be restored until it is purged from the
/// trash, `trash_days` days after its deletion (a setting of the organization).
#[utoipa::path(
    delete,
    path = "/v1/risks/{risk_id}",
    operation_id = "delete_risk",
    tag = "Risks",
    params(("risk_id" = String, Path, description = "`RSK-` and the number")),
    responses(
        (status = 204, description = "Risk deleted"),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, ResourceKind::Risk, RiskNumber::parse)?;
    request.no_query()?;
    request.no_body()?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::risks::delete(tx, organization, author, number, &expected).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

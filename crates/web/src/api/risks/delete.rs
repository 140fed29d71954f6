//! `DELETE /v1/risks/{risk_id}`

use db::Tx;
use domain::{Noun, RiskNumber};

use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;

/// Delete a risk
///
/// A soft delete: the risk leaves every read and figure, and can be restored until it is purged from the
/// trash, after the organization's `trash_days`.
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
pub(crate) async fn delete(mut call: Call) -> Result<Answer> {
    let number = call.path(0, Noun::Risk, RiskNumber::parse)?;
    call.no_query()?;
    call.no_body()?;
    let (organization, author, expected) = (call.organization(), call.author(), call.expected_version());
    call.write(async move |tx: &mut Tx| {
        store::risks::delete(tx, organization, &author, number, &expected).await?;
        Ok(Answer::no_content())
    })
    .await
}

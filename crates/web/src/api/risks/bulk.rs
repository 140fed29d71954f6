//! `POST /v1/risks/bulk`

use domain::Scope;
use domain::bulk::{BulkOperation, MAX_IDS};
use domain::risk::Risk;

use crate::api::bulk::{ResultsView, require, respond, search_seq};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::risk_bulk::{self, BulkInput};

/// Change many risks
///
/// Does one operation to up to 10,000 risks, each by the same rules as alone and with a journal entry of its own: like the change
/// of many incidents. `delete` needs `risks:delete`, every other operation `risks:write`, and a `filter` also `risks:read`.
#[utoipa::path(
    post,
    path = "/v1/risks/bulk",
    operation_id = "change_risks",
    tag = "Risks",
    request_body = BulkInput,
    responses(
        (status = 200, description = "What became of each", body = ResultsView<'_>),
        (status = 404, description = "Tag not found"),
        (status = 409, description = "`bulk_failed`"),
    )
)]
pub(crate) async fn change(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let caller = request.actor().clone();
    let (bulk, is_dry_run) =
        request.json_of(MAX_IDS, move |body, faults| risk_bulk::read(body, &caller, faults)).await?;
    let changes = match bulk.operation {
        BulkOperation::Delete => Scope::RisksDelete,
        _ => Scope::RisksWrite,
    };
    require(&request, changes, &bulk.target, &[Scope::RisksRead])?;
    let query = bulk.target.filter().and_then(|filter| filter.q.as_ref());
    let search_seq = search_seq(request.app.db(), request.organization(), query).await?;
    let write = request.into_write();
    let answer = match is_dry_run {
        true => respond(&write.plan_many::<Risk>(&bulk).await?)?,
        false => write.change_many::<Risk>(bulk, respond).await?,
    };
    Ok(answer.searched(search_seq))
}

//! `POST /v1/risks/bulk`

use domain::risk::Risk;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::input::risk_bulk::RiskBulk;

use crate::bulk::ResultsView;
use crate::listed;

/// Change many risks
///
/// Does one operation to up to 10,000 risks, each by the same rules as alone and with a journal entry of its own: like the change
/// of many incidents. `delete` needs `risks:delete`, every other operation `risks:write`, and a `filter` also `risks:read`.
#[utoipa::path(
    post,
    path = "/v1/risks/bulk",
    operation_id = "change_risks",
    tag = "Risks",
    request_body = RiskBulk,
    responses(
        (status = 200, description = "What became of each", body = ResultsView<'_>),
        (status = 404, description = "Tag not found"),
        (status = 409, description = "`bulk_failed`"),
    )
)]
pub(crate) async fn change(request: ApiRequest) -> Result<Answer> {
    listed::change_many::<Risk>(request).await
}

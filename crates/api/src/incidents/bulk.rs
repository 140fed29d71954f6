//! `POST /v1/incidents/bulk`

use domain::incident::Incident;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::input::incident_bulk::IncidentBulk;

use crate::bulk::ResultsView;
use crate::listed;

/// Change many incidents
///
/// Applies one operation to up to 10,000 incidents, each by the rules of a single change and with its own journal
/// entry. An incident whose change is refused has the outcome `failed`; the others are still changed. Many are changed
/// in several transactions, between which others write: each is durable, so what was done stays done if the service
/// stops in between; sent again, the request does the rest. With `atomic` it is one transaction and none is changed if
/// one fails (409 `bulk_failed`); it writes at most 48 MiB of texts, of which each incident takes 4 KiB beside its own
/// (422). A dry run says what would become of each and writes nothing. The call counts as one request for each incident
/// that it looks at, and so does a dry run. `POST /v1/undo` takes the whole back. `delete` needs `incidents:delete`,
/// every other operation `incidents:write`, and a `filter` also a scope that reads the list.
#[utoipa::path(
    post,
    path = "/v1/incidents/bulk",
    operation_id = "change_incidents",
    tag = "Incidents",
    request_body = IncidentBulk,
    responses(
        (status = 200, description = "What became of each", body = ResultsView<'_>),
        (status = 404, description = "Tag not found"),
        (status = 409, description = "`bulk_failed`"),
    )
)]
pub(crate) async fn change(request: ApiRequest) -> Result<Answer> {
    listed::change_many::<Incident>(request).await
}

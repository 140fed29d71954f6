//! `POST /v1/incidents/bulk`

use domain::Scope;
use domain::bulk::{BulkOperation, MAX_IDS};
use domain::incident::Incident;

use crate::api::bulk::{ResultsView, require, respond, search_seq};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::incident_bulk::{self, BulkInput};

/// Change many incidents
///
/// Does one operation to up to 10,000 incidents, each by the same rules as alone and with a journal entry of its own. An incident
/// that a rule forbids to change has the outcome `failed`, and the others are changed all the same. Many are changed in several
/// transactions, between which others write: each is durable, so what was done stays done if the service stops in between; sent
/// again, the request does the rest. With `atomic` it is one transaction and none is changed if one fails (409 `bulk_failed`);
/// it writes at most 48 MiB of texts, of which each incident takes 4 KiB beside its own (422).
/// A dry run says what would become
/// of each and writes nothing. The call counts as one request for each incident that it looks at, and so does a dry run.
/// `POST /v1/undo` takes the whole back. `delete` needs `incidents:delete`, every other operation `incidents:write`, and a
/// `filter` also a scope that reads the list.
#[utoipa::path(
    post,
    path = "/v1/incidents/bulk",
    operation_id = "change_incidents",
    tag = "Incidents",
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
        request.json_of(MAX_IDS, move |body, faults| incident_bulk::read(body, &caller, faults)).await?;
    let changes = match bulk.operation {
        BulkOperation::Delete => Scope::IncidentsDelete,
        _ => Scope::IncidentsWrite,
    };
    require(&request, changes, &bulk.target, &[Scope::IncidentsRead, Scope::IncidentsDeclare])?;
    let query = bulk.target.filter().and_then(|filter| filter.q.as_ref());
    let search_seq = search_seq(request.app.db(), request.organization(), query).await?;
    let write = request.into_write();
    let answer = match is_dry_run {
        true => respond(&write.plan_many::<Incident>(&bulk).await?)?,
        false => write.change_many::<Incident>(bulk, respond).await?,
    };
    Ok(answer.searched(search_seq))
}

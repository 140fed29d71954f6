//! `DELETE /v1/incidents`, and `POST /v1/incidents/bulk-delete` for clients and proxies that drop the body of a
//! DELETE.

use domain::IncidentNumber;
use domain::bulk::{BulkOperation, IncidentIds, ItemOutcome, ItemResult, not_found_text};
use domain::incident::Incident;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use serde::Serialize;
use store::bulk::Writes;
use store::incidents::{BulkChange, Target};
use utoipa::ToSchema;

use super::many::ids;

/// The number of deleted incidents, and the ids that were not found.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentsDeleted)]
struct DeletedView {
    /// Number of incidents deleted.
    #[schema(minimum = 0, maximum = 10000, examples(1))]
    deleted_count: i64,
    /// Ids that were not found or were already deleted, once each, in the order given.
    #[schema(max_items = 10_000, max_length = 25, pattern = "^(INC-[0-9]{4,19}|-?[0-9]{1,19})$", examples(json!(["INC-0002"])))]
    not_found: Vec<String>,
}

impl DeletedView {
    fn of(results: &[ItemResult<IncidentNumber>]) -> Self {
        let deleted = results.iter().filter(|it| it.outcome == ItemOutcome::Changed).count();
        let not_found = results.iter().filter(|it| it.outcome != ItemOutcome::Changed);
        Self {
            deleted_count: i64::try_from(deleted).unwrap_or(i64::MAX),
            not_found: not_found.map(|it| not_found_text(it.id)).collect(),
        }
    }
}

/// Delete incidents
///
/// Soft-deletes up to 10,000 incidents: in one transaction, or in several if others would have to wait too long for one. They can
/// be restored until they are purged from the trash, `trash_days` days after their deletion (a setting of the organization).
#[utoipa::path(
    delete,
    path = "/v1/incidents",
    operation_id = "delete_incidents",
    tag = "Incidents",
    request_body = IncidentIds,
    responses((status = 200, description = "Incidents deleted successfully", body = DeletedView))
)]
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let ids = ids(&mut request, IncidentNumber::parse_listed).await?;
    let bulk =
        BulkChange { target: Target::Ids(ids), operation: BulkOperation::Delete, writes: Writes::OneIfShort };
    let respond = |results: &[ItemResult<IncidentNumber>]| {
        let view = DeletedView::of(results);
        Answer::bulk_outcome(view.deleted_count, &view)
    };
    request.into_write().change_many::<Incident>(bulk, respond).await
}

/// Delete incidents by POST
///
/// The same as `DELETE /v1/incidents`.
#[utoipa::path(
    post,
    path = "/v1/incidents/bulk-delete",
    operation_id = "bulk_delete_incidents",
    tag = "Incidents",
    request_body = IncidentIds,
    responses((status = 200, description = "Incidents deleted successfully", body = DeletedView))
)]
pub(crate) async fn bulk_delete(request: ApiRequest) -> Result<Answer> {
    delete(request).await
}

//! `DELETE /v1/incidents`, and `POST /v1/incidents/bulk-delete` for clients and proxies that drop the body of a
//! DELETE.

use domain::IncidentNumber;
use domain::bulk::{BulkOutcome, not_found_text};
use serde::Serialize;
use utoipa::ToSchema;

use super::many::change_many;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::incidents::IncidentIdsInput;

/// The number of deleted incidents, and the ids that were not found.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentsDeleted)]
struct DeletedView {
    /// Number of incidents deleted.
    #[schema(minimum = 0, maximum = 10000)]
    deleted_count: i64,
    /// Ids that were not found or were already deleted, once each, in the order given.
    #[schema(examples(json!(["INC-0042"])))]
    not_found: Vec<String>,
}

impl From<BulkOutcome> for DeletedView {
    fn from(outcome: BulkOutcome) -> Self {
        Self {
            deleted_count: outcome.changed_count,
            not_found: outcome.not_found.into_iter().map(not_found_text).collect(),
        }
    }
}

/// Delete incidents
///
/// Soft-deletes up to 10,000 incidents in one transaction. They can be restored until they are purged from the trash,
/// `trash_days` days after their deletion (a setting of the organization).
#[utoipa::path(
    delete,
    path = "/v1/incidents",
    operation_id = "delete_incidents",
    tag = "Incidents",
    request_body = IncidentIdsInput,
    responses((status = 200, description = "Incidents deleted successfully", body = DeletedView))
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    change_many(request, IncidentNumber::parse_listed, store::incidents::delete_many, DeletedView::from).await
}

/// Delete incidents by POST
///
/// The same as `DELETE /v1/incidents`.
#[utoipa::path(
    post,
    path = "/v1/incidents/bulk-delete",
    operation_id = "bulk_delete_incidents",
    tag = "Incidents",
    request_body = IncidentIdsInput,
    responses((status = 200, description = "Incidents deleted successfully", body = DeletedView))
)]
pub(crate) async fn bulk_delete(request: ApiRequest) -> Result<Answer> {
    change_many(request, IncidentNumber::parse_listed, store::incidents::delete_many, DeletedView::from).await
}

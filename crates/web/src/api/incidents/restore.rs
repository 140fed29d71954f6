//! `POST /v1/incidents/restore`

use domain::IncidentNumber;
use domain::bulk::{BulkOutcome, not_found_text};
use serde::Serialize;
use utoipa::ToSchema;

use super::many::change_many;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::incidents::IncidentIdsInput;

/// The number of restored incidents, and the ids that were not restored.
#[derive(Serialize, ToSchema)]
#[schema(as = IncidentsRestored)]
struct RestoredView {
    /// Number of incidents restored.
    #[schema(minimum = 0, maximum = 10000)]
    restored_count: i64,
    /// Ids that were not found or are not deleted, once each, in the order given.
    #[schema(examples(json!(["INC-0042"])))]
    not_found: Vec<String>,
}

impl From<BulkOutcome> for RestoredView {
    fn from(outcome: BulkOutcome) -> Self {
        Self {
            restored_count: outcome.changed_count,
            not_found: outcome.not_found.into_iter().map(not_found_text).collect(),
        }
    }
}

/// Restore incidents
///
/// Restores up to 10,000 deleted incidents in one transaction.
#[utoipa::path(
    post,
    path = "/v1/incidents/restore",
    operation_id = "restore_incidents",
    tag = "Incidents",
    request_body = IncidentIdsInput,
    responses((status = 200, description = "Incidents restored", body = RestoredView))
)]
pub(crate) async fn restore(request: ApiRequest) -> Result<Answer> {
    change_many(request, IncidentNumber::parse_any, store::incidents::restore_many, RestoredView::from).await
}

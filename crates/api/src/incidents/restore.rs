//! `POST /v1/incidents/restore`

use domain::IncidentNumber;
use domain::bulk::{BulkOutcome, IncidentIds, not_found_text};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::many::ids;

/// The number of restored incidents, and the ids that were not restored.
#[derive(Serialize, ToSchema, View)]
#[schema(as = IncidentsRestored)]
#[view(BulkOutcome)]
struct RestoredView {
    /// Number of incidents restored.
    #[schema(minimum = 0, maximum = 10000, examples(1))]
    #[view(it.changed_count)]
    restored_count: i64,
    /// Ids that were not found or are not deleted, once each, in the order given.
    #[schema(max_items = 10_000, max_length = 25, pattern = "^(INC-[0-9]{4,19}|-?[0-9]{1,19})$", examples(json!(["INC-0002"])))]
    #[view(it.not_found.into_iter().map(not_found_text))]
    not_found: Vec<String>,
}

/// Restore incidents
///
/// Restores up to 10,000 deleted incidents in one transaction, which writes at most 48 MiB of texts, with 4 KiB added
/// for each incident (422).
#[utoipa::path(
    post,
    path = "/v1/incidents/restore",
    operation_id = "restore_incidents",
    tag = "Incidents",
    request_body = IncidentIds,
    responses((status = 200, description = "Incidents restored", body = RestoredView))
)]
pub(crate) async fn restore(mut request: ApiRequest) -> Result<Answer> {
    let ids = ids(&mut request, IncidentNumber::parse_any).await?;
    let rows = ids.len();
    request
        .write_rows(
            rows,
            async move |tx, organization, author| {
                store::incidents::restore_many(tx, organization, author, &ids).await
            },
            |outcome: BulkOutcome| Answer::bulk_outcome(outcome.changed_count, &RestoredView::from(outcome)),
        )
        .await
}

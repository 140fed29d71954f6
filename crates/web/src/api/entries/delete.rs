//! `DELETE /v1/incidents/{id}/entries/{number}`

use domain::ResourceKind;

use crate::api::by_path;
use crate::api::shared::note_id;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;

/// Delete an entry
///
/// Soft-deletes an entry: it no longer appears in reads, and can be restored until the incident is purged. What somebody else
/// wrote is deleted with the scope `incidents:delete` only.
#[utoipa::path(
    delete,
    path = "/v1/incidents/{id}/entries/{number}",
    operation_id = "delete_incident_entry",
    tag = "Entries",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the entry"),
    ),
    responses(
        (status = 204, description = "Entry deleted"),
        (status = 404, description = "Incident not found, or Entry not found"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Entry)?;
    by_path::change_with_id(request, id, store::entries::delete, |()| Ok(Answer::no_content())).await
}

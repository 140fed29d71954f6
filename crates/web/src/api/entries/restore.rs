//! `POST /v1/incidents/{id}/entries/{number}/restore`

use domain::ResourceKind;

use super::EntryView;
use crate::api::by_path;
use crate::api::shared::note_id;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;

/// Restore an entry
///
/// Restores a deleted entry as it was, with its revisions. One that is not deleted is not found.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/entries/{number}/restore",
    operation_id = "restore_incident_entry",
    tag = "Entries",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the entry"),
    ),
    responses(
        (status = 200, description = "Entry restored", body = EntryView),
        (status = 404, description = "Incident not found, or Entry not found"),
    )
)]
pub(crate) async fn restore(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Entry)?;
    by_path::change_with_id(request, id, store::entries::restore, |it| {
        Answer::record(it.note.version, &EntryView::from(it))
    })
    .await
}

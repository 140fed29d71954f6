//! `POST /v1/incidents/{id}/comments/{number}/restore`

use domain::ResourceKind;

use super::CommentView;
use crate::api::by_path;
use crate::api::shared::note_id;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;

/// Restore a comment
///
/// Restores a deleted comment as it was, with its revisions. One that is not deleted is not found.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/comments/{number}/restore",
    operation_id = "restore_incident_comment",
    tag = "Comments",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the comment"),
    ),
    responses(
        (status = 200, description = "Comment restored", body = CommentView),
        (status = 404, description = "Incident not found, or Comment not found"),
    )
)]
pub(crate) async fn restore(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Comment)?;
    by_path::change_with_id(request, id, store::comments::restore, |it| {
        Answer::record(it.value.note.version, &CommentView::new(it))
    })
    .await
}

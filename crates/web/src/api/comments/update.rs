//! `PATCH /v1/incidents/{id}/comments/{number}`

use domain::ResourceKind;

use super::CommentView;
use crate::api::shared::note_id;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::comments::{self, CommentPatchInput};

/// Edit a comment
///
/// Its author does, and holders of `incidents:delete`. Each edit keeps what stood before as a revision. A patch that changes
/// nothing leaves the version as it is.
#[utoipa::path(
    patch,
    path = "/v1/incidents/{id}/comments/{number}",
    operation_id = "update_incident_comment",
    tag = "Comments",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the comment"),
    ),
    request_body(content(
        (CommentPatchInput = "application/json"),
        (CommentPatchInput = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The comment", body = CommentView),
        (status = 404, description = "Incident not found, or Comment not found"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Comment)?;
    request.no_query()?;
    let author = request.author();
    let patch = request
        .merge_patch_of_record(comments::read_patch, async move |tx, organization, patch, now| {
            store::comments::patch_faults(tx, organization, &author, id, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::comments::update(tx, organization, author, id, &expected, &patch).await
            },
            |it| Answer::record(it.value.note.version, &CommentView::new(it)),
        )
        .await
}

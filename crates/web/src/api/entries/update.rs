//! `PATCH /v1/incidents/{id}/entries/{number}`

use domain::ResourceKind;

use super::EntryView;
use crate::api::shared::note_id;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::entries::{self, EntryPatchInput};

/// Edit or pin an entry
///
/// Its author edits it, and holders of `incidents:delete`; each edit keeps what stood before as a revision. Everybody who may
/// change the incident pins and unpins it. A patch that changes nothing leaves the version as it is.
#[utoipa::path(
    patch,
    path = "/v1/incidents/{id}/entries/{number}",
    operation_id = "update_incident_entry",
    tag = "Entries",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the entry"),
    ),
    request_body(content(
        (EntryPatchInput = "application/json"),
        (EntryPatchInput = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The entry", body = EntryView),
        (status = 404, description = "Incident not found, or Entry not found"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Entry)?;
    request.no_query()?;
    let author = request.author();
    let patch = request
        .merge_patch_of_record(entries::read_patch, async move |tx, organization, patch, now| {
            store::entries::patch_faults(tx, organization, &author, id, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::entries::update(tx, organization, author, id, &expected, &patch).await
            },
            |it| Answer::record(it.note.version, &EntryView::from(it)),
        )
        .await
}

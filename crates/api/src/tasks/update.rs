//! `PATCH /v1/incidents/{id}/tasks/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{InPath, TaskView, incident_in_path, task_in_path};
use domain::json;
use domain::task::TaskPatch;

/// Change a task
///
/// The rules are checked on the patched task. A patch that changes nothing does not change the version. The version and
/// the dates of the incident stay as they are.
#[utoipa::path(
    patch,
    path = "/v1/incidents/{id}/tasks/{number}",
    operation_id = "update_task",
    tag = "Tasks",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the task"),
    ),
    request_body(content(
        (TaskPatch = "application/json"),
        (TaskPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The task", body = TaskView),
        (status = 404, description = "Incident not found, or Task not found"),
        (status = 409, description = "The incident is closed, and the task mandatory and open (`close_requirements`)"),
    )
)]
pub(crate) async fn update(request: ApiRequest) -> Result<Answer> {
    update_of(request, incident_in_path).await
}

/// Changes a task of the record in the path.
pub(super) async fn update_of(mut request: ApiRequest, of: InPath) -> Result<Answer> {
    let id = task_in_path(&request, of)?;
    request.no_query()?;
    let viewer = request.viewer();
    let patch = request
        .merge_patch_of_record(json::body::<TaskPatch>, async move |tx, organization, patch, now| {
            store::tasks::patch_faults(tx, organization, &viewer, id, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::tasks::update(tx, organization, author, id, &expected, &patch).await
            },
            |details| Answer::record(details.task.version, &TaskView::from(details)),
        )
        .await
}

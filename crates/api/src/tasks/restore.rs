//! `POST /v1/incidents/{id}/tasks/{number}/restore`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{InPath, TaskView, incident_in_path, task_in_path};
use crate::by_path;

/// Restore a task
///
/// Restores a deleted task as it was. A task that is not deleted is not found.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/tasks/{number}/restore",
    operation_id = "restore_task",
    tag = "Tasks",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the task"),
    ),
    responses(
        (status = 200, description = "Task restored", body = TaskView),
        (status = 404, description = "Incident not found, or Task not found"),
        (status = 409, description = "The incident is closed, and the task mandatory and open (`close_requirements`)"),
    )
)]
pub(crate) async fn restore(request: ApiRequest) -> Result<Answer> {
    restore_of(request, incident_in_path).await
}

/// Restores a task of the record in the path.
pub(super) async fn restore_of(request: ApiRequest, of: InPath) -> Result<Answer> {
    let id = task_in_path(&request, of)?;
    by_path::change_with_id(request, id, store::tasks::restore, |it| {
        Answer::record(it.task.version, &TaskView::from(it))
    })
    .await
}

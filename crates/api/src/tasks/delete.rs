//! `DELETE /v1/incidents/{id}/tasks/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{InPath, incident_in_path, task_in_path};
use crate::by_path;

/// Delete a task
///
/// The journal keeps what it was; its number is not used again. A task that is not going to be done is better kept, with the
/// status `not_doing` and a reason.
#[utoipa::path(
    delete,
    path = "/v1/incidents/{id}/tasks/{number}",
    operation_id = "delete_task",
    tag = "Tasks",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the task"),
    ),
    responses(
        (status = 204, description = "Task deleted"),
        (status = 404, description = "Incident not found, or Task not found"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    delete_of(request, incident_in_path).await
}

/// Deletes a task of the record in the path.
pub(super) async fn delete_of(request: ApiRequest, of: InPath) -> Result<Answer> {
    let id = task_in_path(&request, of)?;
    by_path::change_with_id(request, id, store::tasks::delete, |()| Ok(Answer::no_content())).await
}

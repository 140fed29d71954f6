//! `DELETE /v1/incidents/{id}/tasks/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::task_in_path;

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
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let id = task_in_path(&request)?;
    request.no_query()?;
    request.no_body()?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::tasks::delete(tx, organization, author, id, &expected).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

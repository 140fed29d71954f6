//! `POST /v1/incidents/{id}/tasks`

use domain::json;
use domain::task::NewTask;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use store::tasks::TaskDetails;

use super::{InPath, TaskView, incident_in_path};

/// Create a task
///
/// It is added after the other tasks of the incident, unless `position` is sent. The version and the dates of the
/// incident do not change.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/tasks",
    operation_id = "create_task",
    tag = "Tasks",
    params(crate::path::IncidentId),
    request_body = NewTask,
    responses(
        (status = 201, description = "Task created", body = TaskView),
        (status = 404, description = "Incident not found"),
        (status = 409, description = "The incident is closed, and the task mandatory (`close_requirements`)"),
    )
)]
pub(crate) async fn create(request: ApiRequest) -> Result<Answer> {
    create_of(request, incident_in_path).await
}

/// Creates a task of the record in the path.
pub(super) async fn create_of(mut request: ApiRequest, of: InPath) -> Result<Answer> {
    let of = of(&request)?;
    request.no_query()?;
    let new = request.json(json::body::<NewTask>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::tasks::create(tx, organization, author, of, &new).await
            },
            created,
        )
        .await
}

/// The response to the creation of a task.
pub(crate) fn created(details: TaskDetails) -> Result<Answer> {
    let location = format!("/v1/{}/tasks/{}", details.of.path(), details.task.number);
    Answer::created(location, details.task.version, &TaskView::from(details))
}

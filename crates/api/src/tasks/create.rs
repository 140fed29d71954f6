//! `POST /v1/incidents/{id}/tasks`

use domain::json;
use domain::task::NewTask;
use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use store::tasks::TaskDetails;

use super::TaskView;

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
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let new = request.json(json::body::<NewTask>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::tasks::create(tx, organization, author, incident, &new).await
            },
            created,
        )
        .await
}

/// The response to the creation of a task.
pub(crate) fn created(details: TaskDetails) -> Result<Answer> {
    let location = format!("/v1/incidents/{}/tasks/{}", details.task.incident, details.task.number);
    Answer::created(location, details.task.version, &TaskView::from(details))
}

//! `GET /v1/incidents/{id}/tasks/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::DeletedParam;
use http::error::Result;

use super::{InPath, TaskView, incident_in_path, task_in_path};

/// Read a task
///
/// Returns a task of an incident.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/tasks/{number}",
    operation_id = "read_task",
    tag = "Tasks",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the task"),
        DeletedParam,
    ),
    responses(
        (status = 200, description = "The task", body = TaskView),
        (status = 404, description = "Incident not found, or Task not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    read_of(request, incident_in_path).await
}

/// Reads a task of the record in the path.
pub(super) async fn read_of(request: ApiRequest, of: InPath) -> Result<Answer> {
    let id = task_in_path(&request, of)?;
    let mut query = request.query();
    let deleted = DeletedParam::of(request.permissions(), &mut query, id.0.writes())?;
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let details = store::tasks::get(&mut tx, organization, &viewer, id, deleted).await?;
    Answer::record(details.task.version, &TaskView::from(details))
}

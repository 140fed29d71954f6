//! `GET /v1/incidents/{id}/tasks`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use store::tasks::TaskDetails;

use super::{InPath, TaskView, incident_in_path};

/// List an incident's tasks
///
/// By position, and by number where it is the same. `GET /v1/tasks` lists the tasks of all incidents and risks.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/tasks",
    operation_id = "list_incident_tasks",
    tag = "Tasks",
    params(crate::path::IncidentId, PageParams),
    responses(
        (status = 200, description = "Tasks", body = List<TaskView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    list_of(request, incident_in_path).await
}

/// Lists the tasks of the record in the path.
pub(super) async fn list_of(request: ApiRequest, of: InPath) -> Result<Answer> {
    let of = of(&request)?;
    let mut query = request.query();
    let page = request.page::<(i64, i64)>(&mut query);
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let rows = store::tasks::list_of(&mut tx, organization, &viewer, of, page.after, page.limit).await?;
    let total = page.total(store::tasks::count_of(&mut tx, organization, of)).await?;
    let position = |details: &TaskDetails| (details.task.position, details.task.number);
    Answer::list(&request.list(rows, total, position, TaskView::from))
}

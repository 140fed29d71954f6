//! `GET /v1/incidents/{id}/tasks`

use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use store::tasks::TaskDetails;

use super::TaskView;

/// List an incident's tasks
///
/// By position, and by number where it is the same. `GET /v1/tasks` lists the tasks of all incidents.
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
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<(i64, i64)>(&mut query);
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let tasks =
        store::tasks::list_of_incident(&mut tx, organization, &viewer, incident, page.after, page.limit);
    let rows = tasks.await?;
    let total = page.total(store::tasks::count_of_incident(&mut tx, organization, incident)).await?;
    let position = |details: &TaskDetails| (details.task.position, details.task.number);
    Answer::list(&request.list(rows, total, position, TaskView::from))
}

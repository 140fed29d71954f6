//! `GET /v1/tasks`

use db::Tx;
use domain::task::{Due, TaskStatus};
use domain::{OrgId, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::page::{List, PageParams};
use http::query::{OneWord, People, SortParam, Words};
use store::View;
use store::list::{ListQuery, Position, TimeRange};
use store::tasks::{TaskDetails, TaskFilter, TaskSort};

use super::TaskView;

http::parameters! {
    /// The filters.
    pub(crate) struct TaskFilterParams {
        /// Tasks of one of these owners; `none` is a task without one.
        owner: People,
        /// Tasks with one of these statuses.
        status: Words<TaskStatus>,
        /// Tasks that are due then. The response names the time zone, which is the organization's.
        due: OneWord<Due>,
    }
}

/// List tasks
///
/// The tasks of all incidents and risks that the caller sees, by due date unless `sort` is sent, then in the order of their
/// creation.
#[utoipa::path(
    get,
    path = "/v1/tasks",
    operation_id = "list_tasks",
    tag = "Tasks",
    params(TaskFilterParams, SortParam<TaskSort>, PageParams),
    responses((status = 200, description = "Tasks", body = List<TaskView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<Position>(&mut query);
    let TaskFilterParams { owner, status, due } = TaskFilterParams::read(&mut query);
    let owner = query.people("owner", &owner, request.actor());
    let filter = TaskFilter { owner, status, ..TaskFilter::default() };
    let sort = query.sort::<TaskSort>();
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let (filter, time_zone) = with_due(&mut tx, organization, filter, due).await?;
    let asked = ListQuery { view: View::now(), filter, sort, after: page.after.clone() };
    let rows = store::tasks::list(&mut tx, organization, &viewer, &asked, page.limit).await?;
    let total = store::tasks::count(&mut tx, organization, &viewer, &asked.filter);
    let total = page.total(total).await?;
    let position = |details: &TaskDetails| sort.by.position(&details.task);
    let list = request.list(rows, total, position, TaskView::from);
    Answer::list(&List { time_zone, ..list })
}

/// The filter with the times of `due`, and the time zone that decides about them.
async fn with_due(
    tx: &mut Tx,
    organization: OrgId,
    filter: TaskFilter,
    due: Option<Due>,
) -> Result<(TaskFilter, Option<String>)> {
    let Some(due) = due else { return Ok((filter, None)) };
    let organization = store::organizations::get(tx, organization).await?;
    let organization = organization.ok_or(Error::not_found(ResourceKind::Organization))?;
    let (from, before) = due.range(tx.at(), &organization.time_zone());
    let time_zone = organization.time_zone_name().to_owned();
    let due_status = due.statuses().to_vec();
    Ok((TaskFilter { due: TimeRange { from, before }, due_status, ..filter }, Some(time_zone)))
}

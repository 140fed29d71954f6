//! `/v1/risks/{risk_id}/tasks`: the same operations on the tasks of a risk.

use domain::task::{NewTask, TaskPatch};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::DeletedParam;
use http::error::Result;
use http::page::{List, PageParams};

use super::create::create_of;
use super::delete::delete_of;
use super::list::list_of;
use super::read::read_of;
use super::restore::restore_of;
use super::update::update_of;
use super::{TaskView, risk_in_path};

/// Create a task of a risk
///
/// It is part of the risk's treatment, and added after its other tasks, unless `position` is sent. The version and the dates of
/// the risk do not change.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/tasks",
    operation_id = "create_risk_task",
    tag = "Tasks",
    params(crate::path::RiskId),
    request_body = NewTask,
    responses(
        (status = 201, description = "Task created", body = TaskView),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn create(request: ApiRequest) -> Result<Answer> {
    create_of(request, risk_in_path).await
}

/// List a risk's tasks
///
/// By position, and by number where it is the same. `GET /v1/tasks` lists the tasks of all incidents and risks.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/tasks",
    operation_id = "list_risk_tasks",
    tag = "Tasks",
    params(crate::path::RiskId, PageParams),
    responses(
        (status = 200, description = "Tasks", body = List<TaskView>),
        (status = 404, description = "Risk not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    list_of(request, risk_in_path).await
}

/// Read a task of a risk
///
/// Returns a task of a risk.
#[utoipa::path(
    get,
    path = "/v1/risks/{risk_id}/tasks/{number}",
    operation_id = "read_risk_task",
    tag = "Tasks",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the task"),
        DeletedParam,
    ),
    responses(
        (status = 200, description = "The task", body = TaskView),
        (status = 404, description = "Risk not found, or Task not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    read_of(request, risk_in_path).await
}

/// Change a task of a risk
///
/// The rules are checked on the patched task. A patch that changes nothing does not change the version. The version and
/// the dates of the risk stay as they are.
#[utoipa::path(
    patch,
    path = "/v1/risks/{risk_id}/tasks/{number}",
    operation_id = "update_risk_task",
    tag = "Tasks",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the task"),
    ),
    request_body(content(
        (TaskPatch = "application/json"),
        (TaskPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The task", body = TaskView),
        (status = 404, description = "Risk not found, or Task not found"),
    )
)]
pub(crate) async fn update(request: ApiRequest) -> Result<Answer> {
    update_of(request, risk_in_path).await
}

/// Delete a task of a risk
///
/// The journal keeps what it was; its number is not used again. A task that is not going to be done is better kept, with the
/// status `not_doing` and a reason.
#[utoipa::path(
    delete,
    path = "/v1/risks/{risk_id}/tasks/{number}",
    operation_id = "delete_risk_task",
    tag = "Tasks",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the task"),
    ),
    responses(
        (status = 204, description = "Task deleted"),
        (status = 404, description = "Risk not found, or Task not found"),
    )
)]
pub(crate) async fn delete(request: ApiRequest) -> Result<Answer> {
    delete_of(request, risk_in_path).await
}

/// Restore a task of a risk
///
/// Restores a deleted task as it was. A task that is not deleted is not found.
#[utoipa::path(
    post,
    path = "/v1/risks/{risk_id}/tasks/{number}/restore",
    operation_id = "restore_risk_task",
    tag = "Tasks",
    params(
        crate::path::RiskId,
        ("number" = i64, Path, minimum = 1, description = "Number of the task"),
    ),
    responses(
        (status = 200, description = "Task restored", body = TaskView),
        (status = 404, description = "Risk not found, or Task not found"),
    )
)]
pub(crate) async fn restore(request: ApiRequest) -> Result<Answer> {
    restore_of(request, risk_in_path).await
}

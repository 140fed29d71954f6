//! `POST /v1/incidents/{id}/review/actions/{number}/task`

use domain::{IncidentNumber, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::shared::number;
use crate::tasks::create::created;
use crate::tasks::view::TaskView;

/// Create a task from an action
///
/// The task has the title, the owner and the due date of the action, and the action names it from then on, also in a review
/// that is published. An owner who has left does not own the task.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/review/actions/{number}/task",
    operation_id = "create_task_of_action",
    tag = "Reviews",
    params(
        crate::path::IncidentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the action: its place in the list"),
    ),
    responses(
        (status = 201, description = "Task created", body = TaskView),
        (status = 404, description = "Incident not found, Review not found, or Action not found"),
        (status = 409, description = "The action is a task already (`action_is_task`)"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let number = request.path(1, ResourceKind::ReviewAction, number)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::reviews::action_to_task(tx, organization, author, incident, number).await
            },
            created,
        )
        .await
}

//! `POST /v1/incidents/{id}/comments`

use domain::{IncidentNumber, ResourceKind};

use super::CommentView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::input::comments::{self, NewCommentInput};

/// Comment on an incident
///
/// `mentions` names members of the organization. A mention gives no access: the response has a warning for each person who
/// does not see the incident.
#[utoipa::path(
    post,
    path = "/v1/incidents/{id}/comments",
    operation_id = "create_incident_comment",
    tag = "Comments",
    params(("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`")),
    request_body = NewCommentInput,
    responses(
        (status = 201, description = "Comment added", body = CommentView),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    request.no_query()?;
    let new = request.json(comments::read_new).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::comments::create(tx, organization, author, incident, &new).await
            },
            move |comment| {
                let location = format!("/v1/incidents/{incident}/comments/{}", comment.value.note.number);
                Answer::created(location, comment.value.note.version, &CommentView::new(comment))
            },
        )
        .await
}

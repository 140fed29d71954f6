//! `GET /v1/incidents/{id}/comments/{number}`

use domain::{ResourceKind, Scope};

use super::CommentView;
use crate::api::shared::note_id;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;

/// Read a comment
///
/// With whom it mentions. `warnings` names those who do not see the incident: a mention gives no access.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/comments/{number}",
    operation_id = "read_incident_comment",
    tag = "Comments",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the comment"),
        SeenParams,
    ),
    responses(
        (status = 200, description = "The comment", body = CommentView),
        (status = 404, description = "Incident not found, or Comment not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Comment)?;
    let mut query = request.query();
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let comment = store::comments::get(&mut tx, organization, &request.viewer(), id, view).await?;
    Answer::record(comment.value.note.version, &CommentView::new(comment).seen(named))
}

//! `GET /v1/incidents/{id}/comments/{number}/revisions`

use std::collections::HashMap;

use domain::note::{Comment, Mention};
use domain::{ResourceKind, UserId};
use serde::Serialize;
use utoipa::ToSchema;

use super::view::people;
use crate::api::shared::{ActorView, PersonView, note_id};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::timestamp::Timestamp;

/// What a comment said before or after an edit.
#[derive(Serialize, ToSchema)]
#[schema(as = CommentRevision)]
struct RevisionView {
    /// 1 for the comment as it was written, and 1 more with each edit.
    #[schema(minimum = 1)]
    revision: i64,
    /// Markdown.
    #[schema(examples("Two more people have opened the attachment."))]
    text: String,
    /// The people whom it mentioned.
    #[schema(max_items = 50)]
    mentions: Vec<PersonView>,
    /// Who wrote it so.
    written_by: ActorView,
    /// When.
    written_date: Timestamp,
}

impl RevisionView {
    fn of(Comment { note, mentions }: Comment, known: &HashMap<UserId, Mention>) -> Self {
        Self {
            revision: note.revision(),
            text: note.text,
            mentions: people(&mentions, known),
            written_by: note.edited_by.unwrap_or(note.author).into(),
            written_date: note.edited_date.unwrap_or(note.created_date).into(),
        }
    }
}

/// List the revisions of a comment
///
/// What it said, from how it was written to how it is, with who wrote it so and when.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/comments/{number}/revisions",
    operation_id = "list_incident_comment_revisions",
    tag = "Comments",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the comment"),
        PageParams,
    ),
    responses(
        (status = 200, description = "Revisions", body = List<RevisionView>),
        (status = 404, description = "Incident not found, or Comment not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Comment)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (viewer, after) = (request.viewer(), page.after);
    let (rows, mentions) =
        store::comments::list_revisions(&mut tx, organization, &viewer, id, after, page.limit).await?;
    let total = page.total(store::comments::count_revisions(&mut tx, organization, id)).await?;
    let position = |comment: &Comment| comment.note.version;
    Answer::list(&request.list(rows, total, position, |comment| RevisionView::of(comment, &mentions)))
}

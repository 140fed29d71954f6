//! `GET /v1/incidents/{id}/entries/{number}/revisions`

use domain::ResourceKind;
use domain::note::Entry;
use serde::Serialize;
use utoipa::ToSchema;

use super::view::EntryKindView;
use crate::api::shared::{ActorView, note_id};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::page::{List, PageParams};
use crate::http::timestamp::Timestamp;

/// What an entry said before or after an edit.
#[derive(Serialize, ToSchema)]
#[schema(as = EntryRevision)]
struct RevisionView {
    /// 1 for the entry as it was written, and 1 more with each edit.
    #[schema(minimum = 1)]
    revision: i64,
    /// What it told of.
    kind: EntryKindView,
    /// Markdown.
    #[schema(examples("The sender is blocked at the mail gateway."))]
    text: String,
    /// The time that it spoke of.
    at: Timestamp,
    /// Who wrote it so.
    written_by: ActorView,
    /// When.
    written_date: Timestamp,
}

impl From<Entry> for RevisionView {
    fn from(Entry { note, kind, at, .. }: Entry) -> Self {
        Self {
            revision: note.revision(),
            kind: kind.into(),
            text: note.text,
            at: at.into(),
            written_by: note.edited_by.unwrap_or(note.author).into(),
            written_date: note.edited_date.unwrap_or(note.created_date).into(),
        }
    }
}

/// List the revisions of an entry
///
/// What it said, from how it was written to how it is, with who wrote it so and when.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/entries/{number}/revisions",
    operation_id = "list_incident_entry_revisions",
    tag = "Entries",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the entry"),
        PageParams,
    ),
    responses(
        (status = 200, description = "Revisions", body = List<RevisionView>),
        (status = 404, description = "Incident not found, or Entry not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Entry)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (viewer, after) = (request.viewer(), page.after);
    let rows = store::entries::list_revisions(&mut tx, organization, &viewer, id, after, page.limit).await?;
    let total = page.total(store::entries::count_revisions(&mut tx, organization, id)).await?;
    let position = |entry: &Entry| entry.note.version;
    Answer::list(&request.list(rows, total, position, RevisionView::from))
}

//! `GET /v1/incidents/{id}/entries/{number}`

use domain::{ResourceKind, Scope};

use super::EntryView;
use crate::api::shared::note_id;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::as_of::{Seen, SeenParams};
use crate::http::error::Result;

/// Read an entry
///
/// The current state, or the state known at a past time.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/entries/{number}",
    operation_id = "read_incident_entry",
    tag = "Entries",
    params(
        ("id" = String, Path, description = "`INC-0001`, also `inc-1` or `1`"),
        ("number" = i64, Path, minimum = 1, description = "Number of the entry"),
        SeenParams,
    ),
    responses(
        (status = 200, description = "The entry", body = EntryView),
        (status = 404, description = "Incident not found, or Entry not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = note_id(&request, ResourceKind::Entry)?;
    let mut query = request.query();
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let entry = store::entries::get(&mut tx, organization, &request.viewer(), id, view).await?;
    Answer::record(entry.note.version, &EntryView::from(entry).seen(named))
}

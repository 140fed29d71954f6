//! `GET /v1/incidents/{id}/notes`

use domain::note::{Note, NoteKind};
use domain::{IncidentNumber, ResourceKind, Scope};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{Seen, SeenParams};
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Flag, SortParam, Words};
use store::list::{ListQuery, Position};
use store::notes::{NoteFilter, NoteSort, WithMentions};

use super::NoteView;

http::parameters! {
    /// The filters.
    pub(crate) struct NoteFilterParams {
        /// Notes of one of these kinds.
        kind: Words<NoteKind>,
        /// Whether the notes are pinned.
        pinned: Flag,
    }
}

/// List the notes about an incident
///
/// By event time, the earliest first, unless `sort` is sent. The event time of a comment is the time of writing.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/notes",
    operation_id = "list_incident_notes",
    tag = "Notes",
    params(
        crate::path::IncidentId,
        NoteFilterParams, SortParam<NoteSort>, PageParams, SeenParams,
    ),
    responses(
        (status = 200, description = "Notes", body = List<NoteView>),
        (status = 404, description = "Incident not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let page = request.page::<Position>(&mut query);
    let seen = Seen::read(request.permissions(), &mut query, Scope::IncidentsDelete)?;
    let NoteFilterParams { kind, pinned } = NoteFilterParams::read(&mut query);
    let (filter, sort) = (NoteFilter { kind, pinned }, query.sort::<NoteSort>());
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let asked = ListQuery { view, filter, sort, after: page.after.clone() };
    let found =
        store::notes::list(&mut tx, organization, &request.viewer(), incident, &asked, page.limit).await?;
    let total = store::notes::count(&mut tx, organization, incident, view, &asked.filter);
    let total = page.total(total).await?;
    let position = |note: &Note| sort.by.position(note);
    let WithMentions { value, incident, mentions } = found;
    let view = |note| NoteView::of(note, &incident, &mentions);
    Answer::list(&request.list(value, total, position, view).seen(named))
}

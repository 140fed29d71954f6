//! `GET /v1/imports`

use domain::ImportId;
use domain::import::{Import, ImportKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use jiff::Timestamp;
use uuid::Uuid;

use super::ImportView;

/// List imports
///
/// Those of the last 7 days that the caller may make, the latest first. Those of incidents are seen by who sent them, and with
/// `incidents:restricted`.
#[utoipa::path(
    get,
    path = "/v1/imports",
    operation_id = "list_imports",
    tag = "Imports",
    params(PageParams),
    responses((status = 200, description = "Imports", body = List<ImportView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<(i64, Uuid)>(&mut query);
    query.finish()?;
    let scopes = request.permissions().scopes();
    let kinds: Vec<ImportKind> =
        ImportKind::ALL.iter().copied().filter(|kind| scopes.has(kind.scope())).collect();
    let place = |(at, id)| Some((Timestamp::from_microsecond(at).ok()?, ImportId(id)));
    let (organization, after) = (request.organization(), page.after.and_then(place));
    let viewer = request.viewer();
    let mut tx = request.app.db().read().await?;
    let rows = store::imports::list(&mut tx, organization, &viewer, &kinds, after, page.limit).await?;
    let total = page.total(store::imports::count(&mut tx, organization, &viewer, &kinds)).await?;
    let position = |import: &Import| (import.created_date.as_microsecond(), import.id.uuid());
    Answer::list(&request.list(rows, total, position, ImportView::from))
}

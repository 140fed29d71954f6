//! `GET /v1/imports/{id}/rows`

use domain::import::ImportRow;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use lists::imports::RowParams;

use super::view::RowView;
use super::{named, require};

/// List the rows of an import
///
/// What became of each record of the file, or would by the latest dry run, in the order of the file.
#[utoipa::path(
    get,
    path = "/v1/imports/{id}/rows",
    operation_id = "list_import_rows",
    tag = "Imports",
    params(("id" = Uuid, Path, description = "Import id"), RowParams, PageParams),
    responses(
        (status = 200, description = "Rows", body = List<RowView>),
        (status = 404, description = "Import not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let id = named(&request)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    let RowParams { outcome } = RowParams::read(&mut query);
    query.finish()?;
    let organization = request.organization();
    let mut tx = request.app.db().read().await?;
    let import = store::imports::get(&mut tx, organization, &request.viewer(), id).await?;
    require(&request, import.kind)?;
    let rows = store::imports::list_rows(&mut tx, organization, id, &outcome, page.after, page.limit).await?;
    let total = page.total(store::imports::count_rows(&mut tx, organization, id, &outcome)).await?;
    Answer::list(&request.list(rows, total, |row: &ImportRow| row.place, RowView::from))
}

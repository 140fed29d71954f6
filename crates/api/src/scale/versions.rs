//! `GET /v1/scale/versions`, `GET /v1/scale/versions/{version}`

use domain::ResourceKind;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};

use super::ScaleView;
use crate::shared::number;

/// List the versions of the scale
///
/// The latest first, down to version 1, with which every organization begins.
#[utoipa::path(
    get,
    path = "/v1/scale/versions",
    operation_id = "list_scale_versions",
    tag = "Risks",
    params(PageParams),
    responses((status = 200, description = "Versions", body = List<ScaleView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let rows = store::scales::list(&mut tx, request.organization(), page.after, page.limit).await?;
    let total = page.total(store::scales::count(&mut tx, request.organization())).await?;
    Answer::list(&request.list(rows, total, |scale| scale.number, ScaleView::from))
}

/// Read a version of the scale
///
/// A rating names the version that it was made by.
#[utoipa::path(
    get,
    path = "/v1/scale/versions/{version}",
    operation_id = "read_scale_version",
    tag = "Risks",
    params(("version" = i64, Path, minimum = 1, description = "Number of the version")),
    responses(
        (status = 200, description = "The version", body = ScaleView),
        (status = 404, description = "Scale version not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let version = request.path(0, ResourceKind::ScaleVersion, number)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let scale = store::scales::get(&mut tx, request.organization(), version).await?;
    Answer::record(scale.number, &ScaleView::from(scale))
}

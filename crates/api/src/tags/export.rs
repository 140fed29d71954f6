//! `GET /v1/tags/export`

use axum::response::Response;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::export::{Fields, FormatParam, Lines, NamedTag, Tags, tag_columns};

use super::TagView;
use super::list::TagFilterParams;

type FieldsParam = Fields<Tags, TagView>;

/// Export tags
///
/// All tags that the list with these filters has, as they are now: like the export of documents. A CSV file also has their other names,
/// `aliases`: those of tags that were merged into them.
#[utoipa::path(
    get,
    path = "/v1/tags/export",
    operation_id = "export_tags",
    tag = "Tags",
    params(TagFilterParams, FormatParam, (
        "fields" = inline(Option<FieldsParam>), Query, style = Form, explode = false,
        description = "The columns of a CSV file or a workbook, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/csv"),
            (TagView = "application/x-ndjson"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 409, description = "`export_too_large`"),
    )
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    let mut query = request.query();
    let names = query.texts("name");
    let lines = Lines::read(&request, &mut query, tag_columns(), |row: NamedTag, _| TagView::from(row.tag));
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    Tags { organization, names }.file(&mut tx, &lines).await
}

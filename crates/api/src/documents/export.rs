//! `GET /v1/documents/export`

use axum::response::Response;
use domain::document::Document;
use http::answer::with_search_seq;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::SearchParam;
use lists::export::{Documents, Fields, FormatParam, Lines, document_columns};
use lists::input::document_filter::{self, DocumentFilterParams};

use super::view::DocumentView;
use crate::search::searched_up_to;

type FieldsParam = Fields<Documents, DocumentView>;

/// Export documents
///
/// All documents that the list with these filters has, without their items, as they are now: like the export of incidents,
/// but made in one read before it is sent. A file of more than 16 MiB is refused.
#[utoipa::path(
    get,
    path = "/v1/documents/export",
    operation_id = "export_documents",
    tag = "Documents",
    params(DocumentFilterParams, SearchParam, FormatParam, (
        "fields" = inline(Option<FieldsParam>), Query, style = Form, explode = false,
        description = "The columns of a CSV file or a workbook, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/csv"),
            (DocumentView = "application/x-ndjson"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 409, description = "`export_too_large`"),
    )
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    let mut query = request.query();
    let asked = document_filter::read(&mut query, request.actor());
    let lines =
        Lines::read(&request, &mut query, document_columns(), |row: Document, _| DocumentView::from(row));
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let filter = asked.filter(&mut tx, organization).await?;
    let search_seq = searched_up_to(&mut tx, organization, filter.q.as_ref()).await?;
    let file = Documents { organization, filter }.file(&mut tx, &lines).await?;
    Ok(with_search_seq(file, search_seq))
}

//! `GET /v1/documents/{id}/acknowledgements/export`

use axum::response::Response;
use domain::acknowledgement::PersonCoverage;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::export::{Acknowledgements, Fields, FormatParam, Lines, acknowledgement_columns};

use super::coverage::{AsOfParam, StatusParam};
use super::view::CoverageView;

type FieldsParam = Fields<Acknowledgements, CoverageView>;

/// Export who has acknowledged a document
///
/// Everybody whom the list with these filters has: like the export of documents.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/acknowledgements/export",
    operation_id = "export_acknowledgements",
    tag = "Acknowledgements",
    params(crate::path::DocumentId, StatusParam, AsOfParam, FormatParam, (
        "fields" = inline(Option<FieldsParam>), Query, style = Form, explode = false,
        description = "The columns of a CSV file or a workbook, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/csv"),
            (CoverageView = "application/x-ndjson"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 404, description = "Document not found"),
        (status = 409, description = "`export_too_large`"),
    )
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    let slug = crate::documents::slug(&request)?;
    let mut query = request.query();
    let StatusParam { status } = StatusParam::read(&mut query);
    let AsOfParam { as_of } = AsOfParam::read(&mut query);
    let view = |row: PersonCoverage, _| CoverageView::from(row);
    let lines = Lines::read(&request, &mut query, acknowledgement_columns(), view);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let organization = request.organization();
    let coverage = super::coverage_of(&mut tx, organization, &slug, as_of).await?;
    let coverage = coverage.seen_by(request.actor(), request.permissions().scopes());
    Acknowledgements { organization, coverage, status }.file(&mut tx, &lines).await
}

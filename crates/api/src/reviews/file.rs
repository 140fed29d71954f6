//! `GET /v1/incidents/{id}/review/file`

use axum::response::Response;
use domain::{IncidentNumber, ResourceKind};
use http::api_request::ApiRequest;
use http::error::Result;
use lists::review_file::ReviewFile;

use crate::file_format::FileFormatParam;

/// Read the review of an incident as a file
///
/// The latest edition, which says on each page if it is not published: the dates of the incident, the actions with owner and due
/// date, who published which edition, and the texts.
#[utoipa::path(
    get,
    path = "/v1/incidents/{id}/review/file",
    operation_id = "read_review_file",
    tag = "Reviews",
    params(crate::path::IncidentId, FileFormatParam),
    responses(
        (status = 200, description = "The file", content(
            (String = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            (String = "application/pdf")),
            headers(("ETag" = String, description = "It changes with everything that the file has"))),
        (status = 404, description = "Incident not found, or Review not found"),
        (status = 422, description = "The fonts of PDF files do not have all characters of the review"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Response> {
    let incident = request.path(0, ResourceKind::Incident, IncidentNumber::parse)?;
    let mut query = request.query();
    let form = FileFormatParam::form(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let file = ReviewFile::read(&mut tx, request.organization(), &request.viewer(), incident).await?;
    drop(tx);
    file.file(&request.app, form).await
}

//! `GET /v1/documents/{id}/acknowledgements/file`

use axum::response::Response;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::acknowledgement_file::AcknowledgementList;

use super::coverage::{AsOfParam, StatusParam};
use crate::file_format::FileFormatParam;

/// Read who has acknowledged a document as a file
///
/// For an auditor: the newest version at that time with its hash, the totals, and everybody whom the list with these filters has,
/// with the version, the time and the hash of their acknowledgement, and the paper that it was given on.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/acknowledgements/file",
    operation_id = "read_acknowledgements_file",
    tag = "Acknowledgements",
    params(crate::path::DocumentId, FileFormatParam, StatusParam, AsOfParam),
    responses(
        (status = 200, description = "The file", content(
            (String = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            (String = "application/pdf")),
            headers(("ETag" = String, description = "It changes with everything that the file has"))),
        (status = 404, description = "Document not found"),
        (status = 409, description = "`export_too_large`"),
        (status = 422, description = "The fonts of PDF files do not have all characters of the list"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Response> {
    let slug = crate::documents::slug(&request)?;
    let mut query = request.query();
    let form = FileFormatParam::form(&mut query);
    let StatusParam { status } = StatusParam::read(&mut query);
    let AsOfParam { as_of } = AsOfParam::read(&mut query);
    query.finish()?;
    let organization = request.organization();
    let mut tx = request.app.db().read().await?;
    let coverage = super::coverage_of(&mut tx, organization, &slug, as_of).await?;
    let seen = coverage.seen_by(request.actor(), request.permissions().scopes());
    let list = AcknowledgementList::read(&mut tx, organization, &slug, (seen, status)).await?;
    drop(tx);
    list.file(&request.app, form).await
}

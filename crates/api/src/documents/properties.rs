//! `PATCH /v1/documents/{id}/properties`

use domain::document::PropertiesPatch;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::view::DocumentView;

/// Change a document's properties
///
/// Changes what is not part of the text that is approved. The rules are checked on the patched record. A patch that changes
/// nothing does not change the version.
#[utoipa::path(
    patch,
    path = "/v1/documents/{id}/properties",
    operation_id = "update_document_properties",
    tag = "Documents",
    params(crate::path::DocumentId),
    request_body(content(
        (PropertiesPatch = "application/json"),
        (PropertiesPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The document", body = DocumentView),
        (status = 404, description = "Document not found"),
        (status = 409, description = "It is archived (`document_archived`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    let of = slug.clone();
    let patch = request
        .merge_patch_of_record(json::body::<PropertiesPatch>, async move |tx, organization, patch, now| {
            store::documents::patch_faults(tx, organization, &of, patch, now).await
        })
        .await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::documents::update_properties(tx, organization, author, &slug, &expected, &patch).await
            },
            |it| Answer::record(it.document.version, &DocumentView::from(it)),
        )
        .await
}

//! `DELETE /v1/documents/{id}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

/// Delete a document
///
/// Deletes a document that was never published and on which nobody else has worked for good, with its proposals and their
/// comments; links of incidents to it are removed. Its slug can be used again. The journal keeps its entries.
#[utoipa::path(
    delete,
    path = "/v1/documents/{id}",
    operation_id = "delete_document",
    tag = "Documents",
    params(crate::path::DocumentId),
    responses(
        (status = 204, description = "Document deleted"),
        (status = 404, description = "Document not found"),
        (status = 409, description = "It was published (`document_published`), others have worked on it (`document_worked_on`), or \
            a proposal is submitted (`proposal_submitted`)"),
    )
)]
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    request.no_query()?;
    request.no_body()?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                store::draft_removal::delete(tx, organization, author, &slug, &expected).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

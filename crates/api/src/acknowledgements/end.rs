//! `DELETE /v1/documents/{id}/acknowledgement-requests/{request_id}`

use domain::{AcknowledgementRequestId, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

/// End an acknowledgement request
///
/// Whom no other request means is not asked any more. Acknowledgements and the request stay in the record.
#[utoipa::path(
    delete,
    path = "/v1/documents/{id}/acknowledgement-requests/{request_id}",
    operation_id = "end_acknowledgement_request",
    tag = "Acknowledgements",
    params(
        crate::path::DocumentId,
        ("request_id" = inline(AcknowledgementRequestId), Path, description = "Id of the request"),
    ),
    responses(
        (status = 204, description = "Request ended"),
        (status = 404, description = "Acknowledgement request not found, or it has ended"),
    )
)]
pub(crate) async fn end(mut request: ApiRequest) -> Result<Answer> {
    let slug = crate::documents::slug(&request)?;
    let id = request.path(1, ResourceKind::AcknowledgementRequest, AcknowledgementRequestId::parse)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::acknowledgements::end(tx, organization, author, &slug, id).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

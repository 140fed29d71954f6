//! `GET /v1/documents/{id}/acknowledgement-requests`

use domain::AcknowledgementRequestId;
use domain::acknowledgement::AcknowledgementRequest;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use uuid::Uuid;

use super::view::RequestView;

/// List a document's acknowledgement requests
///
/// The oldest first, ended ones too.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/acknowledgement-requests",
    operation_id = "list_acknowledgement_requests",
    tag = "Acknowledgements",
    params(crate::path::DocumentId, PageParams),
    responses(
        (status = 200, description = "Requests", body = List<RequestView>),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = crate::documents::slug(&request)?;
    let mut query = request.query();
    let page = request.page::<Uuid>(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let after = page.after.map(AcknowledgementRequestId);
    let rows = store::acknowledgements::requests(&mut tx, organization, &slug, after, page.limit).await?;
    let total = page.total(store::acknowledgements::count_requests(&mut tx, organization, &slug)).await?;
    let position = |row: &AcknowledgementRequest| row.id.uuid();
    Answer::list(&request.list(rows, total, position, RequestView::from))
}

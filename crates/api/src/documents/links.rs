//! `GET /v1/documents/{id}/links`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use store::links::LinkEnd;

use crate::links::{self, DetectedParams, LinkView};

/// List a document's links
///
/// The links of incidents that lead to the document, in the order in which they were added: of the incidents that the caller
/// may read.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/links",
    operation_id = "list_document_links",
    tag = "Documents",
    params(crate::path::DocumentId, DetectedParams, PageParams),
    responses(
        (status = 200, description = "The document's links", body = List<LinkView>),
        (status = 404, description = "Document not found"),
    )
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let mut query = request.query();
    let page = request.page::<i64>(&mut query);
    let detected = DetectedParams::range(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    store::documents::require(&mut tx, request.organization(), &slug).await?;
    links::page(request, &mut tx, LinkEnd::Document(slug), detected, page).await
}

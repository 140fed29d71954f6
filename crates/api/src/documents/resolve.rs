//! `POST /v1/documents/{id}/proposals/{number}/resolve`

use domain::document::Resolution;
use domain::{ResourceKind, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::proposal::ProposalView;
use crate::shared::number;

/// Resolve a conflict
///
/// Adopts the value of one of the change sets for an item that authors set differently. Who does that is no author of it. A later
/// edit of the item with another value ends the adoption.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/resolve",
    operation_id = "resolve_proposal_conflict",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = Resolution,
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "It is closed (`not_next`)"),
    )
)]
pub(crate) async fn resolve(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let resolution = request.json(json::body::<Resolution>).await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                let which = (slug.as_str(), number);
                store::proposals::resolve(tx, organization, author, which, &expected, &resolution).await
            },
            |proposal| Answer::record(proposal.version, &ProposalView::from(proposal)),
        )
        .await
}

//! `PATCH /v1/documents/{id}/proposals/{number}`

use domain::document::ProposalPatch;
use domain::{ResourceKind, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::proposal::ProposalView;
use crate::shared::number;

/// Change a proposal
///
/// Changes what its approval publishes beside the values of items. The caller becomes an author. A submitted proposal is open again,
/// unless nothing changes. Items keep their values; those that they do not take are listed in `removed`.
#[utoipa::path(
    patch,
    path = "/v1/documents/{id}/proposals/{number}",
    operation_id = "update_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body(content(
        (ProposalPatch = "application/json"),
        (ProposalPatch = "application/merge-patch+json"),
    )),
    responses(
        (status = 200, description = "The proposal", body = ProposalView),
        (status = 404, description = "Document not found, or Proposal not found"),
        (status = 409, description = "It is closed (`not_next`), another document has the reference (`reference_taken`), or the \
            document is archived (`document_archived`)"),
    )
)]
pub(crate) async fn update(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    let patch = request.merge_patch(json::body::<ProposalPatch>).await?;
    let expected = request.expected_version();
    request
        .write(
            async move |tx, organization, author| {
                let which = (slug.as_str(), number);
                store::proposals::change(tx, organization, author, which, &expected, &patch).await
            },
            |proposal| Answer::record(proposal.version, &ProposalView::from(proposal)),
        )
        .await
}

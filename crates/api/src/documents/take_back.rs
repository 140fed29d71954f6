//! `DELETE /v1/documents/{id}/proposals/{number}/edits/{node_id}`

use domain::{ExpectedVersion, ResourceKind};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::shared::number;

/// Take back an edit
///
/// Removes the caller's own edit of an item. Who has no edit left is no author of the proposal.
#[utoipa::path(
    delete,
    path = "/v1/documents/{id}/proposals/{number}/edits/{node_id}",
    operation_id = "take_back_edit",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
        ("node_id" = String, Path, max_length = 80, description = "Id of the item"),
    ),
    responses(
        (status = 204, description = "The edit is removed"),
        (status = 404, description = "Document not found, Proposal not found, or the caller has no edit of this item"),
        (status = 409, description = "It is closed (`not_next`)"),
    )
)]
pub(crate) async fn take_back(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    let item = request.path(2, ResourceKind::Edit, |text| Some(text.to_owned()))?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                let which = (slug.as_str(), number);
                store::proposals::take_back(tx, organization, author, which, &ExpectedVersion::Any, &item)
                    .await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

//! `POST /v1/documents/{id}/proposals/{number}/seen`

use domain::document::{Seen, sha256};
use domain::{Error, ResourceKind, Scope, UserId, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::shared::number;

/// Note that a proposal was read
///
/// Keeps the text that the caller, a person, has read, for themselves only. `…/difference?from=seen` then shows what was changed
/// since. It needs `documents:read`.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/proposals/{number}/seen",
    operation_id = "see_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
    ),
    request_body = Seen,
    responses(
        (status = 204, description = "It is kept"),
        (status = 403, description = "The scope `documents:read` is missing"),
        (status = 404, description = "Document not found, Proposal not found, or Session not found: the token is a client's"),
        (status = 409, description = "Its text is another one by now (`proposal_changed`)"),
    )
)]
pub(crate) async fn see(mut request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    request.no_query()?;
    request.permissions().require(Scope::DocumentsRead.into())?;
    let seen = request.json(json::body::<Seen>).await?;
    let person =
        UserId::parse(&request.actor().id).ok_or(http::error::Error::not_found(ResourceKind::Session))?;
    let mut tx = request.app.db().read().await?;
    let draft = store::proposals::draft(&mut tx, request.organization(), &slug, number, None).await?;
    drop(tx);
    let present = sha256(&draft.markdown);
    if seen.sha256.as_str() != present {
        return Err(Error::ProposalChanged { sha256: present, difference: None }.into());
    }
    let text = draft.markdown;
    request
        .write(
            async move |tx, organization, _| {
                store::proposals::see(tx, organization, person, number, &text).await
            },
            |()| Ok(Answer::no_content()),
        )
        .await
}

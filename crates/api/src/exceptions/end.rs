//! `POST /v1/documents/{id}/exceptions/{number}/withdraw` and `…/revoke`

use domain::accepting::Revocation;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{ExceptionView, exception_in_path};

/// Withdraw a request for an exception to a document
///
/// Who has made it may do that, and the owner of the document.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/exceptions/{number}/withdraw",
    operation_id = "withdraw_exception",
    tag = "Exceptions",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the exception"),
    ),
    responses(
        (status = 200, description = "The request", body = ExceptionView),
        (status = 404, description = "Document not found, or Exception not found"),
        (status = 403, description = "Somebody else has to withdraw this (`not_decider`)"),
        (status = 409, description = "It was decided or withdrawn already (`decision_not_possible`)"),
    )
)]
pub(crate) async fn withdraw(mut request: ApiRequest) -> Result<Answer> {
    let (slug, number) = exception_in_path(&request)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| {
                store::exceptions::withdraw(tx, organization, author, (&slug, number)).await
            },
            |ended| Answer::outcome(&ExceptionView::from(ended)),
        )
        .await
}

/// Revoke an exception to a document
///
/// It ends for a reason that stays in the record.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/exceptions/{number}/revoke",
    operation_id = "revoke_exception",
    tag = "Exceptions",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the exception"),
    ),
    request_body = Revocation,
    responses(
        (status = 200, description = "The exception", body = ExceptionView),
        (status = 404, description = "Document not found, or Exception not found"),
        (status = 409, description = "It is neither accepted nor stale (`decision_not_possible`)"),
    )
)]
pub(crate) async fn revoke(mut request: ApiRequest) -> Result<Answer> {
    let (slug, number) = exception_in_path(&request)?;
    request.no_query()?;
    let revocation = request.json(json::body::<Revocation>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::exceptions::revoke(tx, organization, author, (&slug, number), &revocation).await
            },
            |ended| Answer::outcome(&ExceptionView::from(ended)),
        )
        .await
}

//! `POST /v1/documents/{id}/exceptions/{number}/decision`

use domain::exception::ExceptionDecision;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{ExceptionView, exception_in_path};

/// Decide about a request for an exception to a document
///
/// A person with `documents:approve` decides; while four eyes are on, it is not who has asked. Accepting freezes what the document
/// prints for the item, and ends the exception that it replaces.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/exceptions/{number}/decision",
    operation_id = "decide_exception",
    tag = "Exceptions",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the exception"),
    ),
    request_body = ExceptionDecision,
    responses(
        (status = 200, description = "The exception", body = ExceptionView),
        (status = 404, description = "Document not found, or Exception not found"),
        (status = 403, description = "Somebody else has to decide this (`not_decider`)"),
        (status = 409, description = "Another version is published by now, or the item is gone (`document_changed`), the document is \
            archived (`document_archived`), the last day has passed (`until_passed`), or it was decided already \
            (`decision_not_possible`)"),
    )
)]
pub(crate) async fn decide(mut request: ApiRequest) -> Result<Answer> {
    let (slug, number) = exception_in_path(&request)?;
    request.no_query()?;
    let decision = request.json(json::body::<ExceptionDecision>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::exceptions::decide(tx, organization, author, (&slug, number), &decision).await
            },
            |decided| Answer::outcome(&ExceptionView::from(decided)),
        )
        .await
}

//! `POST /v1/documents/{id}/exceptions/{number}/decision` and `…/record`

use domain::decision::Recorded;
use domain::exception::{ExceptionDecision, RecordedException};
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{ExceptionView, exception_in_path};

/// Decide about a request for an exception to a document
///
/// A person with `documents:approve` decides; while four eyes are on and not waived, it is not who has asked. Accepting freezes what
/// the document prints for the item, and ends the exception that it replaces.
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
    let decision = request.json(json::body::<ExceptionDecision>).await?;
    take(request, decision, None).await
}

/// Record a decision about a request for an exception
///
/// Of people who do not sign in, such as a board. A person with `documents:approve` records it who has not asked, unless four eyes
/// are off or waived.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/exceptions/{number}/record",
    operation_id = "record_exception_decision",
    tag = "Exceptions",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the exception"),
    ),
    request_body = RecordedException,
    responses(
        (status = 200, description = "The exception", body = ExceptionView),
        (status = 404, description = "Document not found, or Exception not found"),
        (status = 403, description = "Somebody else has to record this (`not_decider`)"),
        (status = 409, description = "Another version is published by now, or the item is gone (`document_changed`), the document is \
            archived (`document_archived`), the last day has passed (`until_passed`), or it was decided already \
            (`decision_not_possible`)"),
    )
)]
pub(crate) async fn record(mut request: ApiRequest) -> Result<Answer> {
    let RecordedException { decision, recorded } = request.json(json::body::<RecordedException>).await?;
    take(request, decision, Some(recorded)).await
}

async fn take(
    request: ApiRequest,
    decision: ExceptionDecision,
    recorded: Option<Recorded>,
) -> Result<Answer> {
    let (slug, number) = exception_in_path(&request)?;
    request.no_query()?;
    request
        .write(
            async move |tx, organization, author| {
                let (which, recorded) = ((slug.as_str(), number), recorded.as_ref());
                store::exceptions::decide(tx, organization, author, which, &decision, recorded).await
            },
            |decided| Answer::outcome(&ExceptionView::from(decided)),
        )
        .await
}

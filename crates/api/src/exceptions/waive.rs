//! `POST /v1/documents/{id}/exceptions/{number}/waive-four-eyes`

use domain::accepting::FourEyesWaiver;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{ExceptionView, exception_in_path};

/// Let those decide about a request for an exception who made it
///
/// Waives four eyes for one request, for a reason that stays in the record. They need `documents:approve` as others do.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/exceptions/{number}/waive-four-eyes",
    operation_id = "waive_four_eyes_of_exception",
    tag = "Exceptions",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the exception"),
    ),
    request_body = FourEyesWaiver,
    responses(
        (status = 200, description = "The request", body = ExceptionView),
        (status = 404, description = "Document not found, or Exception not found"),
        (status = 409, description = "It is no open request (`decision_not_possible`)"),
    )
)]
pub(crate) async fn waive_four_eyes(mut request: ApiRequest) -> Result<Answer> {
    let (slug, number) = exception_in_path(&request)?;
    request.no_query()?;
    let waiver = request.json(json::body::<FourEyesWaiver>).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::exceptions::waive_four_eyes(tx, organization, author, (&slug, number), &waiver).await
            },
            |waived| Answer::outcome(&ExceptionView::from(waived)),
        )
        .await
}

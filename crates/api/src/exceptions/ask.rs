//! `POST /v1/documents/{id}/exceptions`

use domain::exception::NewException;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::ExceptionView;
use crate::documents::slug;

/// Ask for an exception to a document
///
/// For a while something differs from a published document, or from one item of it. To extend an exception, ask for another one that
/// `replaces` it.
#[utoipa::path(
    post,
    path = "/v1/documents/{id}/exceptions",
    operation_id = "request_exception",
    tag = "Exceptions",
    params(crate::path::DocumentId),
    request_body = NewException,
    responses(
        (status = 201, description = "The request", body = ExceptionView),
        (status = 404, description = "Document not found"),
        (status = 409, description = "The document is archived (`document_archived`) or not published (`not_published`)"),
    )
)]
pub(crate) async fn ask(mut request: ApiRequest) -> Result<Answer> {
    let slug = slug(&request)?;
    request.no_query()?;
    let now = (request.app.db().clock())();
    let new = request.json(move |body, faults| NewException::read(body, now, faults)).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::exceptions::ask(tx, organization, author, &slug, &new).await
            },
            |made| {
                let it = &made.exception;
                let location = format!("/v1/documents/{}/exceptions/{}", it.document, it.number);
                Answer::created(location, None, &ExceptionView::from(made))
            },
        )
        .await
}

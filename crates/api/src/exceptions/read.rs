//! `GET /v1/documents/{id}/exceptions/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{AsOfParams, Seen};
use http::error::Result;

use super::{ExceptionView, exception_in_path};

/// Read an exception to a document
///
/// Who asked for it and why, who decided about it, and what became of it. With `as_of` as it was known then.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/exceptions/{number}",
    operation_id = "get_exception",
    tag = "Exceptions",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the exception"),
        AsOfParams,
    ),
    responses(
        (status = 200, description = "The exception", body = ExceptionView),
        (status = 404, description = "Document not found, or Exception not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let (slug, number) = exception_in_path(&request)?;
    let mut query = request.query();
    let seen = Seen::read_as_of(&mut query);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let it = store::exceptions::get(&mut tx, organization, view, &slug, number).await?;
    Answer::record(None, &ExceptionView::from(it).seen(named))
}

//! `GET /v1/documents/{id}/exceptions/{number}`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{ExceptionView, exception_in_path};

/// Read an exception to a document
///
/// Who asked for it and why, who decided about it, and what became of it.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/exceptions/{number}",
    operation_id = "get_exception",
    tag = "Exceptions",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the exception"),
    ),
    responses(
        (status = 200, description = "The exception", body = ExceptionView),
        (status = 404, description = "Document not found, or Exception not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let (slug, number) = exception_in_path(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let it = store::exceptions::get(&mut tx, request.organization(), &slug, number).await?;
    Answer::record(None, &ExceptionView::from(it))
}

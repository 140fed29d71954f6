//! `DELETE /v1/session`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::own;

/// Sign out
///
/// Ends the session of the token, at once and in every process.
#[utoipa::path(
    delete,
    path = "/v1/session",
    operation_id = "delete_session",
    tag = "Session",
    responses(
        (status = 204, description = "Signed out"),
        (status = 404, description = "Session not found: the token is a client's"),
    )
)]
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let id = own(&request)?;
    request.no_query()?;
    request.no_body()?;
    request
        .write(
            async move |tx, organization, author| store::sessions::end(tx, organization, author, id).await,
            // A session that ended in the meantime is not an error.
            |_was_there| Ok(Answer::no_content()),
        )
        .await
}

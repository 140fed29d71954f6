//! `GET /v1/session`

use domain::ResourceKind;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};

use super::{SessionView, own};

/// Read your own session
///
/// Returns the session of the token.
#[utoipa::path(
    get,
    path = "/v1/session",
    operation_id = "read_session",
    tag = "Session",
    responses(
        (status = 200, description = "The session", body = SessionView),
        (status = 404, description = "Session not found: the token is a client's"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let id = own(&request)?;
    request.no_query()?;
    let mut tx = request.app.db().read().await?;
    let now = tx.at();
    let session = store::sessions::get(&mut tx, request.organization(), id, now).await?;
    let session = session.ok_or(Error::Unauthenticated { token_sent: true })?;
    let organization = store::organizations::get(&mut tx, request.organization()).await?;
    let organization = organization.ok_or(Error::not_found(ResourceKind::Organization))?;
    Answer::record(None, &SessionView::of(session, &organization, now))
}

//! `GET /v1/session`

use domain::Noun;

use super::{SessionView, own};
use crate::answer::Answer;
use crate::call::Call;
use crate::error::{Error, Result};

/// Read the own session
///
/// The session of the token.
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
pub(crate) async fn read(call: Call) -> Result<Answer> {
    let id = own(&call)?;
    call.no_query()?;
    let mut tx = call.app.db().read().await?;
    let now = tx.at();
    let session = store::sessions::get(&mut tx, call.organization(), id, now).await?;
    let session = session.ok_or(Error::Unauthenticated { token_sent: true })?;
    let organization = store::organizations::get(&mut tx, call.organization()).await?;
    let organization = organization.ok_or(Error::not_found(Noun::Organization))?;
    Answer::record(None, &SessionView::of(session, &organization, now))
}

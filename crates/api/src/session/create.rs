//! `POST /v1/session`

use auth::people::SignIn;
use auth::people::{SignedIn, sign_in};
use domain::json;
use http::answer::Answer;
use http::error::{Error, Result};
use http::open_request::OpenRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::SessionView;

/// A new session.
#[derive(Serialize, ToSchema)]
#[schema(as = NewSession)]
pub(crate) struct NewSessionView {
    /// The token for `Authorization: Bearer`. It is shown only once.
    #[schema(
        min_length = 42,
        max_length = 128,
        pattern = "^bws_[A-Za-z0-9]+$",
        examples("bws_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm")
    )]
    token: String,
    /// The session.
    #[serde(flatten)]
    session: SessionView,
}

/// Sign in
///
/// A person exchanges the password for a token for one organization. The token has the person's roles there as of each
/// request. An unknown address, a wrong password, a person who is not a member and a member who has not accepted an
/// invitation get the same response. A person who can sign in to several organizations and names none gets a 409 with
/// their names, if the password is right. Failures from one address make that address wait.
#[utoipa::path(
    post,
    path = "/v1/session",
    operation_id = "create_session",
    tag = "Session",
    request_body = SignIn,
    responses(
        (status = 201, description = "Signed in", body = NewSessionView),
        (status = 401, description = "Invalid credentials"),
        (status = 409, description = "Several organizations could be meant (`organization_needed`)"),
    )
)]
pub(crate) async fn create(mut request: OpenRequest) -> Result<Answer> {
    request.no_query()?;
    let asked = request.json(json::body::<SignIn>).await?;
    let SignedIn { token, session } = sign_in(request.app.auth(), asked, &request.source).await?;
    let mut tx = request.app.db().read().await?;
    let organization = store::organizations::get(&mut tx, session.organization).await?;
    let organization = organization.ok_or(Error::not_found(domain::ResourceKind::Organization))?;
    let began = session.last_used_date;
    let view = NewSessionView {
        token: token.expose().to_owned(),
        session: SessionView::of(session, &organization, began),
    };
    Answer::shown_once("/v1/session".to_owned(), &view)
}

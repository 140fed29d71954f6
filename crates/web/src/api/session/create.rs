//! `POST /v1/session`

use domain::{FaultCode, Faults, OrgId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::SessionView;
use crate::http::answer::Answer;
use crate::http::error::{Error, Result};
use crate::http::json::{Fields, Json, Pointer};
use crate::http::open_request::OpenRequest;
use crate::oauth::{Password, SignIn, SignedIn};

/// The credentials of a person.
#[derive(ToSchema)]
#[schema(as = SignIn)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct SignInInput {
    /// The e-mail address.
    #[schema(max_length = 254, examples("ada@example.org"))]
    email: String,
    /// The person's password.
    #[schema(max_length = 128, format = Password, examples("correct horse battery"))]
    password: String,
    /// The id of the organization to sign in to. It may be left out by a person who can sign in to one organization
    /// only.
    organization_id: Option<Uuid>,
}

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
/// A person exchanges the password for a token for one organization. The token has the person's role there as of each
/// request. An unknown address, a wrong password, a person who is not a member and a member who has not accepted an
/// invitation get the same response. A person who can sign in to several organizations and names none gets a 409 with
/// their names, if the password is right. Failures from one address make that address wait.
#[utoipa::path(
    post,
    path = "/v1/session",
    operation_id = "create_session",
    tag = "Session",
    request_body = SignInInput,
    responses(
        (status = 201, description = "Signed in", body = NewSessionView),
        (status = 401, description = "Invalid credentials"),
        (status = 409, description = "Several organizations could be meant (`organization_needed`)"),
    )
)]
pub(crate) async fn create(mut request: OpenRequest) -> Result<Answer> {
    request.no_query()?;
    let asked = request.json(read_body).await?;
    let SignedIn { token, session } = request.app.oauth().sign_in(asked, &request.source).await?;
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

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<SignIn> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let email = fields.required::<String>("email");
    let password = fields.required_text("password", not_too_long);
    let organization = fields.optional::<OrgId>("organization_id");
    fields.finish();
    Some(SignIn { email: email?, password: Password::new(password?), organization })
}

/// Checks the maximum length only: a password that is too short is just wrong, but one that is too long would waste
/// processing time.
pub(crate) fn not_too_long(text: &str, pointer: &str, faults: &mut Faults) {
    let most = domain::password::MOST_CHARACTERS;
    if text.chars().count() > most {
        faults.add(pointer, FaultCode::TooLong, format_args!("must have at most {most} characters"));
    }
}

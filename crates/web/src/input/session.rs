//! What is sent to sign in.

use auth::people::{Password, SignIn};
use domain::{FaultCode, Faults, OrgId};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::json::{Fields, Json, Pointer};

/// The credentials of a person.
#[derive(ToSchema)]
#[schema(as = SignIn)]
#[expect(dead_code, reason = "describes the body, which `read_sign_in` reads")]
pub(crate) struct SignInInput {
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

/// Reads the credentials of a person.
pub fn read_sign_in(body: Json<'_>, faults: &mut Faults) -> Option<SignIn> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let email = fields.required::<String>("email");
    let password = fields.required_text("password", not_too_long);
    let organization = fields.optional::<OrgId>("organization_id");
    fields.finish();
    Some(SignIn { email: email?, password: Password::new(password?), organization })
}

/// Checks the maximum length only: a password that is too short is just wrong, but one that is too long would waste
/// processing time.
pub(super) fn not_too_long(text: &str, pointer: &str, faults: &mut Faults) {
    let most = domain::password::MOST_CHARACTERS;
    if text.chars().count() > most {
        faults.add(pointer, FaultCode::TooLong, format_args!("must have at most {most} characters"));
    }
}

//! What is sent to use a reset link.

use auth::people::{Password, Reset};
use auth::secret::ResetToken;
use domain::Faults;
use utoipa::ToSchema;

use crate::http::json::{Fields, Json, Pointer};

/// The token of a reset link, and the password that its person chooses.
#[derive(ToSchema)]
#[schema(as = UseResetLink)]
#[expect(dead_code, reason = "describes the body, which `read_reset` reads")]
pub(crate) struct ResetInput {
    /// The part of the reset link after `#`.
    #[schema(max_length = 128, examples("bwr_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm"))]
    token: String,
    /// At least 12 characters. It becomes the person's password.
    #[schema(min_length = 12, max_length = 128, format = Password, examples("correct horse battery"))]
    password: String,
}

/// Reads the use of a reset link.
pub fn read_reset(body: Json<'_>, faults: &mut Faults) -> Option<Reset> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let token = fields.required::<String>("token");
    let password = fields.required::<String>("password");
    fields.finish();
    Some(Reset { token: ResetToken::parse(&token?), password: Password::new(password?) })
}

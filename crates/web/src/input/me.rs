//! What callers send about themselves.

use auth::people::Password;
use domain::Faults;
use utoipa::ToSchema;

use super::session::not_too_long;
use crate::http::json::{Fields, Json, Pointer};

/// A new password and the current one.
#[derive(ToSchema)]
#[schema(as = PasswordChange)]
#[expect(dead_code, reason = "describes the body, which `read_password_change` reads")]
pub(crate) struct PasswordChangeInput {
    /// The current password.
    #[schema(max_length = 128, format = Password, examples("correct horse battery"))]
    old: String,
    /// The new password: at least 12 characters.
    #[schema(min_length = 12, max_length = 128, format = Password, examples("another horse battery"))]
    new: String,
}

/// Reads the current password and the new one.
pub fn read_password_change(body: Json<'_>, faults: &mut Faults) -> Option<(Password, Password)> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let old = fields.required_text("old", not_too_long);
    let new = fields.required::<String>("new");
    fields.finish();
    Some((Password::new(old?), Password::new(new?)))
}

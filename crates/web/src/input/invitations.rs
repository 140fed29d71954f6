//! What is sent to accept an invitation. Creating one takes the same as adding a user.

use auth::people::{Accept, Password};
use auth::secret::InvitationToken;
use domain::{Faults, person};
use utoipa::ToSchema;

use crate::http::json::{Fields, Json, Pointer};

/// The token of an invitation, and the password of the person who accepts it.
#[derive(ToSchema)]
#[schema(as = AcceptInvitation)]
#[expect(dead_code, reason = "describes the body, which `read_acceptance` reads")]
pub(crate) struct AcceptInput {
    /// The part of the invitation's link after `#`.
    #[schema(max_length = 128, examples("bwi_0bCnOza3eFqR2d6hItU5g9kLwX8jCnOz4IdPRm"))]
    token: String,
    /// At least 12 characters. It becomes the person's password. If the person already has a password, from another
    /// organization of this service, it must be that one.
    #[schema(min_length = 12, max_length = 128, format = Password, examples("correct horse battery"))]
    password: String,
    /// The display name, if it shall differ from the name in the invitation.
    #[schema(min_length = 1, max_length = 200, examples("Ada King"))]
    name: Option<String>,
}

/// Reads the acceptance of an invitation.
pub fn read_acceptance(body: Json<'_>, faults: &mut Faults) -> Option<Accept> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let token = fields.required::<String>("token");
    let password = fields.required::<String>("password");
    let name = fields.optional_text("name", person::name);
    fields.finish();
    Some(Accept { token: InvitationToken::parse(&token?), password: Password::new(password?), name })
}

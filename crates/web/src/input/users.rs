//! What is sent about users, and about the users whom an invitation adds.

use domain::person::{self, MemberPatch, NewMember};
use domain::{Faults, Role};
use utoipa::ToSchema;

use crate::http::json::{Fields, Json, Pointer};
use crate::http::word::{OneOf, word};

/// The members that only the service sets.
const READ_ONLY: &[&str] = &["id", "created_date", "activated_date", "version"];

/// A user to add to the organization.
#[derive(ToSchema)]
#[schema(as = NewUser)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewUserInput {
    /// The user's name in this organization.
    #[schema(min_length = 1, max_length = 200, examples("Ada"))]
    name: String,
    /// The user's e-mail address; a known address adds the same person.
    #[schema(max_length = 254, examples("ada@example.org"))]
    email: String,
    /// The user's role in this organization.
    role: RoleInput,
}

/// A merge patch (RFC 7396) of a membership: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = UserPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct UserPatchInput {
    /// The user's name in this organization.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200, examples("Ada King"))]
    name: Option<String>,
    /// The user's role in this organization, from their next request on.
    #[schema(value_type = RoleInput, required = false)]
    role: Option<RoleInput>,
}

type RoleInput = OneOf<Role>;

/// Reads the user to add.
pub(crate) fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewMember> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.required_text("name", person::name);
    let email = fields.required_text("email", person::email);
    let role = fields.required_with("role", word);
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(NewMember { name: name?, email: email?, role: role? })
}

/// Reads a merge patch of a membership.
pub(crate) fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<MemberPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = MemberPatch {
        name: fields.patch_set_text("name", person::name),
        role: fields.patch_set_with("role", word),
    };
    fields.read_only(READ_ONLY);
    fields.read_only(&["email"]);
    fields.finish();
    Some(patch)
}

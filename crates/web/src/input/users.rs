//! What is sent about users, and about the users whom an invitation adds.

use domain::duty::Duty;
use domain::person::{self, MemberPatch, NewMember};
use domain::{FaultCode, Faults, Role, UserId};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::json::{Fields, Json, Pointer, array};
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

/// To whom duties go, and which.
#[derive(ToSchema)]
#[schema(as = NewHandover)]
#[expect(dead_code, reason = "describes the body, which `read_handover` reads")]
pub(crate) struct HandoverInput {
    /// The id of the member who takes over.
    to: Uuid,
    /// The kinds of duties, each once; all that the caller may change unless it is sent.
    #[schema(min_items = 1, max_items = 5)]
    which: Option<Vec<DutyInput>>,
}

type DutyInput = OneOf<Duty>;

/// A handover.
pub struct Handover {
    /// The member who takes over.
    pub to: UserId,
    /// The kinds of duties; none: all that the caller may change.
    pub which: Option<Vec<Duty>>,
}

/// Reads to whom duties go, and which.
pub fn read_handover(body: Json<'_>, faults: &mut Faults) -> Option<Handover> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let to = fields.required("to");
    let which = fields.optional_with("which", duties);
    fields.finish();
    Some(Handover { to: to?, which })
}

fn duties(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Duty>> {
    let items = array(value, at, faults)?;
    if items.is_empty() {
        faults.add(at, FaultCode::TooFew, "must have at least 1 element");
    }
    if items.len() > Duty::ALL.len() {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {} elements", Duty::ALL.len()));
        return None;
    }
    let mut duties = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let at = at.index(index);
        match word::<Duty>(item, &at, faults) {
            Some(duty) if duties.contains(&duty) => {
                faults.add(at, FaultCode::Duplicate, "must not be given twice");
            }
            duty => duties.extend(duty),
        }
    }
    Some(duties)
}

/// Reads the user to add.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewMember> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.required_text("name", person::name);
    let email = fields.required_text("email", person::email);
    let role = fields.required_with("role", word);
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(NewMember { name: name?, email: email?, role: role? })
}

/// Reads a merge patch of a membership.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<MemberPatch> {
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

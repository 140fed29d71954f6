//! What is sent about clients and their secrets.

use domain::client::{self, ClientPatch, NewClient, RefreshClientAuth};
use domain::{FaultCode, Faults, Scope, Scopes, nearest};
use jiff::Timestamp;
use utoipa::ToSchema;

use crate::http::json::{Fields, FromJson as _, Json, Pointer};
use crate::http::word::{OneOf, word};

/// The members that only the service sets.
const READ_ONLY: &[&str] = &[
    "client_id",
    "client_secret",
    "organization_id",
    "created_date",
    "created_by",
    "disabled_date",
    "last_used_date",
    "secrets",
    "version",
];

/// A client to create.
#[derive(ToSchema)]
#[schema(as = NewClient)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub(crate) struct NewClientInput {
    /// The display name.
    #[schema(min_length = 1, max_length = 200, examples("SIEM"))]
    name: String,
    /// The client's scopes, space-delimited; the caller must have every one of them.
    #[schema(min_length = 1, max_length = 1024, examples("incidents:read incidents:write"))]
    scopes: String,
}

/// A merge patch (RFC 7396) of a client: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = ClientPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct ClientPatchInput {
    /// The display name.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The client's scopes, space-delimited; the caller must have every one of them.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 1024)]
    scopes: Option<String>,
    /// Whether the client must authenticate itself when it refreshes a token.
    #[schema(value_type = RefreshClientAuthInput, required = false)]
    refresh_client_auth: Option<String>,
    /// Whether the client is disabled.
    #[schema(value_type = bool, required = false)]
    disabled: Option<bool>,
}

type RefreshClientAuthInput = OneOf<RefreshClientAuth>;

/// A secret to create.
#[derive(ToSchema)]
#[schema(as = NewClientSecret)]
#[expect(dead_code, reason = "describes the body, which `read_new_secret` reads")]
pub(crate) struct NewSecretInput {
    /// When the secret expires; never, if left out.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_date: Option<String>,
}

/// Reads a client to create.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewClient> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.required_text("name", client::name);
    let scopes = fields.required_with("scopes", scopes);
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(NewClient { name: name?, scopes: scopes? })
}

/// Reads a merge patch of a client.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<ClientPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = ClientPatch {
        name: fields.patch_set_text("name", client::name),
        scopes: fields.patch_set_with("scopes", scopes),
        refresh_client_auth: fields.patch_set_with("refresh_client_auth", word),
        disabled: fields.patch_set("disabled"),
    };
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}

/// Reads when a new secret expires; `None` is never.
pub fn read_new_secret(body: Json<'_>, faults: &mut Faults) -> Option<Option<Timestamp>> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let expires = fields.optional::<Timestamp>("expires_date");
    fields.read_only(&["id", "client_id", "client_secret", "created_date", "last_used_date"]);
    fields.finish();
    Some(expires)
}

/// Reads space-delimited scopes; at least one is required. Every unknown scope is named, with the scope that was
/// probably meant.
fn scopes(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Scopes> {
    let text = String::from_json(value, at, faults)?;
    match Scopes::parse(&text) {
        Ok(scopes) if scopes.is_empty() => {
            faults.add(at, FaultCode::Required, "must name a scope: a client without one can do nothing");
            None
        }
        Ok(scopes) => Some(scopes),
        Err(_) => {
            let known = || Scope::ALL.iter().map(|scope| scope.as_str());
            for word in text.split_ascii_whitespace().filter(|word| Scope::parse(word).is_none()) {
                if faults.has_more() {
                    break;
                }
                unknown_scope(word, nearest(word, known()), at, faults);
            }
            None
        }
    }
}

fn unknown_scope(word: &str, nearest: Option<&str>, at: &Pointer<'_>, faults: &mut Faults) {
    // A longer or otherwise malformed scope (RFC 6749, section 3.3) is not repeated in the message.
    const SHOWN_BYTES: usize = 64;
    let is_shown = word.len() <= SHOWN_BYTES && word.bytes().all(|byte| byte.is_ascii_graphic());
    match nearest.filter(|_| is_shown) {
        Some(scope) => {
            let detail = format_args!("must not name the unknown scope `{word}`; did you mean `{scope}`?");
            faults.add(at, FaultCode::Enum, detail);
        }
        None if is_shown => {
            faults.add(at, FaultCode::Enum, format_args!("must not name the unknown scope `{word}`"));
        }
        None => faults.add(at, FaultCode::Enum, "must not name an unknown scope"),
    }
}

//! OAuth clients: machines that use the API.

use jiff::Timestamp;
use macros::Body;

use crate::ids::{ClientId, OrgId};
use crate::scope::Scopes;
use crate::text::Line;

/// An OAuth client of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its public name.
    pub id: ClientId,
    /// The organization whose data it may use.
    pub organization: OrgId,
    /// What people call it.
    pub name: String,
    /// What it may have.
    pub scopes: Scopes,
    /// When it was made.
    pub created_date: Timestamp,
}

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
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(read_only = READ_ONLY)]
pub struct NewClient {
    /// The display name.
    #[body(example = "SIEM")]
    pub name: Line,
    /// The client's scopes, space-delimited; the caller must have every one of them.
    #[body(example = "incidents:read incidents:write")]
    pub scopes: Scopes,
}

/// A merge patch (RFC 7396) of a client: absent members stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Body)]
#[body(patch, read_only = READ_ONLY)]
pub struct ClientPatch {
    /// The display name.
    #[body(example = "SIEM")]
    pub name: Option<Line>,
    /// The client's scopes, space-delimited; the caller must have every one of them. Access tokens keep a removed scope
    /// until they expire.
    pub scopes: Option<Scopes>,
    /// Whether the client must authenticate itself when it refreshes a token.
    pub refresh_client_auth: Option<RefreshClientAuth>,
    /// Whether the client is disabled. Disabling revokes all its tokens; once enabled it can get new ones.
    pub disabled: Option<bool>,
}

/// A secret to create.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Body)]
#[body(
    name = "NewClientSecret",
    read_only = &["id", "client_id", "client_secret", "created_date", "last_used_date"]
)]
pub struct NewSecret {
    /// When the secret expires; never, if left out.
    pub expires_date: Option<Timestamp>,
}

crate::words! {
    "RefreshClientAuth"
    /// Whether a client must authenticate itself when it refreshes.
    pub enum RefreshClientAuth {
        /// It may; what it sends is checked. The default: the refresh token alone is enough.
        Optional = "optional",
        /// It must.
        Required = "required",
    }
}

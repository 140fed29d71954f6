//! OAuth clients: machines that use the API.

use jiff::Timestamp;

use crate::fault::Faults;
use crate::ids::{ClientId, OrgId};
use crate::scope::Scopes;
use crate::text;

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

/// A client that is about to be made. Each field has passed its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClient {
    /// See [`name`].
    pub name: String,
    /// What it may have.
    pub scopes: Scopes,
}

/// A change of a client; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClientPatch {
    /// What people call it.
    pub name: Option<String>,
    /// Its scopes. Access tokens keep a removed scope until they expire.
    pub scopes: Option<Scopes>,
    /// Whether it must authenticate itself when it refreshes.
    pub refresh_client_auth: Option<RefreshClientAuth>,
    /// Whether it is disabled. Disabling ends all its tokens for good; enabling lets it get new ones.
    pub disabled: Option<bool>,
}

crate::words! {
    "RefreshClientAuth"
    /// Whether a client must authenticate itself when it refreshes.
    pub enum RefreshClientAuth {
        /// It may; what it sends is checked. The default, because the given interface shows a refresh
        /// with the refresh token alone.
        Optional = "optional",
        /// It must.
        Required = "required",
    }
}

/// Checks a client's name.
pub fn name(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_line(text, pointer, faults);
}

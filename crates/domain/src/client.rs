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

/// Checks a client's name.
pub fn name(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_line(text, pointer, faults);
}

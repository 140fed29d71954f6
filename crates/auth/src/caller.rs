//! The caller of a request: a client with an access token, or a person with a session token.

use domain::{Actor, OrgId, Scope, Scopes, SessionId};

/// The caller and its scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The organization whose data the caller may use; the data of any other is not found.
    pub organization: OrgId,
    /// The client or the person.
    pub actor: Actor,
    /// The scopes of the token.
    pub scopes: Scopes,
    /// The session of a person; a client has none.
    pub session: Option<SessionId>,
}

impl Caller {
    /// Refuses a caller that has none of these scopes.
    pub fn require_any(&self, scopes: &'static [Scope]) -> Result<(), domain::Error> {
        self.scopes.require_any(scopes)
    }
}

//! Placeholder until `oauth/mod.rs` lands: remove this file with it.
use domain::{Actor, Author, OrgId, Scope, Scopes};
/// Placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Placeholder.
    pub organization: OrgId,
    /// Placeholder.
    pub actor: Actor,
    /// Placeholder.
    pub scopes: Scopes,
}
impl Caller {
    /// Placeholder.
    pub fn require(&self, scope: Scope) -> Result<(), domain::Error> {
        if self.scopes.has(scope) { Ok(()) } else { Err(domain::Error::Forbidden(scope)) }
    }
    /// Placeholder.
    pub fn author(&self, request_id: &str) -> Author {
        Author { actor: self.actor.clone(), request_id: request_id.to_owned() }
    }
}
/// Placeholder.
pub struct AuthorizationServer;
impl AuthorizationServer {
    /// Placeholder.
    pub async fn caller(&self, _: &hyper::HeaderMap) -> Result<Caller, crate::Error> {
        Err(crate::Error::Unauthenticated { token_sent: false })
    }
}

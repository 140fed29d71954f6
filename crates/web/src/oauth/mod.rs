//! stub
use domain::{Actor, Author, OrgId, Scope, Scopes};
/// stub
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// a
    pub organization: OrgId,
    /// a
    pub actor: Actor,
    /// a
    pub scopes: Scopes,
}
impl Caller {
    /// a
    pub fn require(&self, scope: Scope) -> Result<(), domain::Error> {
        if self.scopes.has(scope) { Ok(()) } else { Err(domain::Error::Forbidden(scope)) }
    }
    /// a
    pub fn author(&self, request_id: &str) -> Author {
        Author { actor: self.actor.clone(), request_id: request_id.to_owned() }
    }
}
/// a
pub struct AuthorizationServer;
impl AuthorizationServer {
    /// a
    pub async fn caller(&self, _: &hyper::HeaderMap) -> Result<Caller, crate::Error> {
        Err(crate::Error::Unauthenticated { token_sent: false })
    }
}

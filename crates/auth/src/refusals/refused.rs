//! One refusal.

use domain::{ActorKind, ClientId, OrgId, Scopes};
use uuid::Uuid;

use super::reason::Reason;
use crate::caller::Caller;
use crate::grant::Grant;

/// A refusal: its reason, and the refused client as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The reason.
    pub(crate) reason: Reason,
    /// More details for the log; fixed texts, never input.
    pub(crate) detail: &'static str,
    /// The client that was named, authenticated or not.
    pub(crate) client: Option<ClientId>,
    /// The client's organization, if the client exists.
    pub(crate) organization: Option<OrgId>,
    /// The id of the token, if this service issued it. A token itself is never logged.
    pub(crate) jti: Option<Uuid>,
    /// The missing scopes.
    pub(crate) scope: Option<Scopes>,
}

impl Refused {
    /// A refusal of an unknown client.
    pub fn new(reason: Reason) -> Self {
        Self { reason, detail: "", client: None, organization: None, jti: None, scope: None }
    }

    /// The same with more details for the log.
    pub(crate) fn detail(self, detail: &'static str) -> Self {
        Self { detail, ..self }
    }

    /// The same for a client that was named but not authenticated.
    pub(crate) fn named(self, client: &ClientId) -> Self {
        Self { client: Some(client.clone()), ..self }
    }

    /// The same of a known client.
    pub(crate) fn of(self, organization: OrgId, client: &ClientId) -> Self {
        Self { organization: Some(organization), ..self.named(client) }
    }

    /// The same for a token of this service.
    pub(crate) fn token(self, grant: &Grant, jti: Uuid) -> Self {
        Self { jti: Some(jti), ..self.of(grant.organization, &grant.client) }
    }

    /// The same for missing scopes.
    pub fn scope(self, missing: Scopes) -> Self {
        Self { scope: Some(missing), ..self }
    }

    /// The same of a caller whose token was valid; only clients have a list of refusals.
    pub fn of_caller(self, caller: &Caller) -> Self {
        match caller.actor.kind {
            ActorKind::Client => self.of(caller.organization, &ClientId(caller.actor.id.clone())),
            ActorKind::User | ActorKind::Operator => self,
        }
    }
}

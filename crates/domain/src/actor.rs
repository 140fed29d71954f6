//! Actors: clients, people and operators.

use serde::Serialize;

use crate::ids::UserId;
use crate::permissions::Permissions;
use crate::person::Member;
use crate::scope::Scopes;

crate::words! {
    "ActorKind"
    /// The kinds of actors.
    pub enum ActorKind {
        /// An OAuth client.
        Client = "client",
        /// A person.
        User = "user",
        /// The operator of the instance, by the command line or by the service's own housekeeping.
        Operator = "operator",
    }
}

/// The author of an action as it is shown, with the current name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// What kind of actor.
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// `client_id`, UUID of the person, or the operator (`cli:…`, `service`).
    pub id: String,
    /// The current name.
    pub name: String,
}

impl Actor {
    /// The person who this is, if it is one.
    pub fn person(&self) -> Option<UserId> {
        UserId::parse(&self.id).filter(|_| self.kind == ActorKind::User)
    }
}

impl Member {
    /// The member as an actor.
    pub fn actor(&self) -> Actor {
        Actor { kind: ActorKind::User, id: self.person.id.to_string(), name: self.person.name.clone() }
    }
}

/// The actor that a change is attributed to, and the request that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The actor.
    pub actor: Actor,
    /// The request's id, as in the log.
    pub request_id: String,
    /// What the request may do. An operator may do everything.
    pub permissions: Permissions,
}

impl Author {
    /// An author whose request may do nothing that a scope is needed for, unless it is an operator.
    pub fn new(actor: Actor, request_id: impl Into<String>) -> Self {
        Self { actor, request_id: request_id.into(), permissions: Permissions::default() }
    }

    /// What the request may do.
    pub fn scopes(&self) -> Scopes {
        match self.actor.kind {
            ActorKind::Operator => Scopes::all(),
            ActorKind::Client | ActorKind::User => self.permissions.scopes(),
        }
    }

    /// The same with what the request may do.
    #[must_use]
    pub fn with(self, permissions: Permissions) -> Self {
        Self { permissions, ..self }
    }
}

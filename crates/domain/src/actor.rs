//! Who does something.

use serde::Serialize;

/// The kinds of actors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// An OAuth client.
    Client,
    /// A person.
    User,
    /// Whoever holds the machine: the command line and the service's own upkeep.
    Operator,
}

impl ActorKind {
    /// The stored and hashed form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::User => "user",
            Self::Operator => "operator",
        }
    }

    /// Reads the stored form.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Client, Self::User, Self::Operator].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Who did something, as it is shown: the name is today's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// What kind of actor.
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// `client_id`, UUID of the person, or the operator's place (`cli`, `service`).
    pub id: String,
    /// The name today.
    pub name: String,
}

/// Whom a change is attributed to, and the request that asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// Who.
    pub actor: Actor,
    /// The request's id, as in the log.
    pub request_id: String,
}

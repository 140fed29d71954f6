//! Who sees an incident. One that is restricted is absent for everybody but its readers, its assignee, who opened it, and
//! holders of `incidents:restricted`.

use super::Incident;
use crate::actor::{Actor, ActorKind, Author};
use crate::ids::UserId;
use crate::scope::{Scope, Scopes};

/// The scopes with which a caller sees the incidents that others opened.
const SEES_OTHERS: [Scope; 3] = [Scope::IncidentsRead, Scope::IncidentsWrite, Scope::IncidentsDelete];

/// A caller, and which incidents it sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    actor: Option<Actor>,
    sees: Sees,
    lists_incidents: bool,
    sees_risks: bool,
    sees_documents: bool,
}

/// Which incidents a caller sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sees {
    /// Every incident.
    All,
    /// Those that are not restricted, and those that it is involved in.
    Unrestricted,
    /// Those that it opened.
    Opened,
}

impl Viewer {
    /// A caller with these scopes. An operator sees everything.
    pub fn new(actor: &Actor, scopes: Scopes) -> Self {
        let sees = if actor.kind == ActorKind::Operator || scopes.has(Scope::IncidentsRestricted) {
            Sees::All
        } else if SEES_OTHERS.into_iter().any(|scope| scopes.has(scope)) {
            Sees::Unrestricted
        } else {
            Sees::Opened
        };
        let has = |scope| actor.kind == ActorKind::Operator || scopes.has(scope);
        let lists_incidents = has(Scope::IncidentsRead) || has(Scope::IncidentsDeclare);
        let (sees_risks, sees_documents) = (has(Scope::RisksRead), has(Scope::DocumentsRead));
        Self { actor: Some(actor.clone()), sees, lists_incidents, sees_risks, sees_documents }
    }

    /// The author of a change.
    pub fn of(author: &Author) -> Self {
        Self::new(&author.actor, author.scopes())
    }

    /// The service itself, which sees everything.
    pub fn service() -> Self {
        Self { actor: None, sees: Sees::All, lists_incidents: true, sees_risks: true, sees_documents: true }
    }

    /// Whether it lists incidents, and what belongs to them.
    pub fn lists_incidents(&self) -> bool {
        self.lists_incidents
    }

    /// Whether it sees risks, also where incidents are linked to them.
    pub fn sees_risks(&self) -> bool {
        self.sees_risks
    }

    /// Whether it sees the documents that incidents are linked to.
    pub fn sees_documents(&self) -> bool {
        self.sees_documents
    }

    /// Which incidents it sees.
    pub fn sees(&self) -> Sees {
        self.sees
    }

    /// The caller; none for the service itself.
    pub fn actor(&self) -> Option<&Actor> {
        self.actor.as_ref()
    }

    /// The caller as a person.
    pub fn user(&self) -> Option<UserId> {
        self.actor.as_ref().and_then(Actor::person)
    }

    /// Whether it sees this incident.
    pub fn sees_incident(&self, incident: &Incident) -> bool {
        match self.sees {
            Sees::All => true,
            Sees::Unrestricted => !incident.restricted || self.is_involved(incident),
            Sees::Opened => self.opened(incident),
        }
    }

    /// Whether it may change who sees this incident.
    pub fn may_restrict(&self, incident: &Incident) -> bool {
        self.sees == Sees::All || self.is_involved(incident)
    }

    /// Whether it may comment on this incident with these scopes: with `incidents:declare` on those that it opened.
    pub fn comments_on(&self, incident: &Incident, scopes: Scopes) -> bool {
        scopes.has(Scope::IncidentsWrite) || scopes.has(Scope::IncidentsDeclare) && self.opened(incident)
    }

    /// Whether it opened the incident, or is its assignee or one of its readers.
    fn is_involved(&self, incident: &Incident) -> bool {
        let is_named = |user: UserId| {
            incident.assigned_to.as_ref().is_some_and(|person| person.id == user)
                || incident.readers.contains(&user)
        };
        self.opened(incident) || self.user().is_some_and(is_named)
    }

    fn opened(&self, incident: &Incident) -> bool {
        let opener = &incident.opened_by;
        self.actor.as_ref().is_some_and(|actor| actor.kind == opener.kind && actor.id == opener.id)
    }
}

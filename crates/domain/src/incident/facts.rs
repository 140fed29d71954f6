//! What a change of an incident depends on beside the incident.

use std::collections::BTreeSet;

use super::duplicate::DuplicateTarget;
use super::requirement::Surroundings;
use crate::actor::Actor;
use crate::ids::UserId;
use crate::person::Person;
use crate::scope::Scopes;

/// What the register knows that a change of an incident depends on, and who makes the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The member that `assigned_to` names, if there is one.
    pub assignee: Option<Person>,
    /// The members among the new readers.
    pub members: BTreeSet<UserId>,
    /// The incident that `duplicate_of` names, if it was sent.
    pub duplicate: Option<DuplicateTarget>,
    /// What closing depends on.
    pub around: Surroundings,
    /// Who makes the change.
    pub author: Actor,
    /// What the author may do.
    pub scopes: Scopes,
}

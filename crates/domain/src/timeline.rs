//! The timeline of an incident: what its journal entries tell, in sentences for people.
//!
//! A sentence is a pure function of the entry and of the names that the register has today. What this release does not
//! know, such as a field of a newer one, gets a plain sentence; nothing fails.

mod clause;
mod fields;
mod incident;
mod kinds;
mod names;
mod parts;
mod payload;
mod phrase;
mod shown;
#[cfg(test)]
mod tests;

pub use fields::labelled as labelled_fields;
pub use kinds::is_worded;
pub use names::{LinkName, Names};
pub use payload::{Change, Payload};
pub(crate) use phrase::lowercase;
pub use shown::ShownChange;

use crate::actor::Actor;

/// A journal entry about an incident.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The kind of the entry, such as `incident.updated`.
    pub kind: &'a str,
    /// Who made the change.
    pub actor: &'a Actor,
    /// What was changed; none if that was erased.
    pub payload: Option<&'a Payload>,
}

/// An entry as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worded {
    /// A sentence, without a full stop, such as `Ada changed the status from New to Investigating`.
    pub text: String,
    /// Each changed field.
    pub changes: Vec<ShownChange>,
}

/// Words an entry.
pub fn word(told: Told<'_>, names: &Names) -> Worded {
    let Told { kind, actor, payload } = told;
    let Some(payload) = payload else {
        let what = format!("{} (the details were removed)", kinds::clause(kind));
        return Worded { text: clause::sentence(&actor.name, vec![what.into()]), changes: Vec::new() };
    };
    let mut clauses = incident::clauses(told, payload, names);
    if clauses.is_empty() {
        clauses.push(kinds::clause(kind).into());
    }
    let changes = payload.changes().iter().filter_map(|change| shown::change(change, names)).collect();
    Worded { text: clause::sentence(&actor.name, clauses), changes }
}

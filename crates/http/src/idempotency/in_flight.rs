//! The keyed writes that run in this process. They distinguish a duplicate that waits too long from a register that is
//! busy with other writes.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{Actor, OrgId};

type Held = (OrgId, &'static str, String, String);

/// The keys of the running writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashSet<Held>>>);

/// A running write with a key; the key is released when this is dropped.
pub(crate) struct RunningWrite {
    keys: InFlight,
    /// None for a duplicate of a running write.
    held: Option<Held>,
}

impl InFlight {
    /// Registers a write of `actor` under `key`.
    pub(crate) fn enter(&self, organization: OrgId, actor: &Actor, key: &str) -> RunningWrite {
        let held = (organization, actor.kind.as_str(), actor.id.clone(), key.to_owned());
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(held.clone());
        RunningWrite { keys: self.clone(), held: is_new.then_some(held) }
    }
}

impl RunningWrite {
    /// Whether a write with the same key was already running.
    pub(crate) fn is_duplicate(&self) -> bool {
        self.held.is_none()
    }
}

impl Drop for RunningWrite {
    fn drop(&mut self) {
        if let Some(held) = &self.held {
            self.keys.0.lock().unwrap_or_else(PoisonError::into_inner).remove(held);
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::ActorKind;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_key_is_a_duplicate_while_the_first_runs() {
        let (keys, organization) = (InFlight::default(), OrgId(Uuid::from_u128(1)));
        let actor = |id: &str| Actor { kind: ActorKind::Client, id: id.to_owned(), name: String::new() };
        let first = keys.enter(organization, &actor("a"), "k");
        assert!(!first.is_duplicate());
        assert!(keys.enter(organization, &actor("a"), "k").is_duplicate());
        assert!(!keys.enter(organization, &actor("b"), "k").is_duplicate());
        assert!(!keys.enter(organization, &actor("a"), "l").is_duplicate());
        assert!(keys.enter(organization, &actor("a"), "k").is_duplicate());
        drop(first);
        assert!(!keys.enter(organization, &actor("a"), "k").is_duplicate());
    }
}

//! The rule for granting and revoking access.

use crate::error::Result;
use crate::role::Roles;
use crate::scope::{Scope, Scopes};

/// A change of access: of a member's roles, of a client's scopes, or of a credential for them, such as a secret, an
/// invitation or a reset link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessChange {
    /// The scope that administers this kind of access.
    pub administers: Scope,
    /// The scopes before the change.
    pub before: Scopes,
    /// The scopes after the change.
    pub after: Scopes,
}

impl AccessChange {
    /// A change of members and invitations.
    pub fn of_users(before: Scopes, after: Scopes) -> Self {
        Self { administers: Scope::UsersAdmin, before, after }
    }

    /// A change of a member's roles: it touches the roles that are given and those that are taken, not those that stay.
    pub fn of_roles(before: &Roles, after: &Roles) -> Self {
        Self::of_users(before.scopes_beyond(after), after.scopes_beyond(before))
    }

    /// A change of clients and their secrets.
    pub fn of_clients(before: Scopes, after: Scopes) -> Self {
        Self { administers: Scope::ClientsAdmin, before, after }
    }

    /// The scopes that the author of the change needs.
    pub fn required(self) -> Scopes {
        self.before.union(self.after).union(self.administers.into())
    }

    /// Callers can only grant or revoke scopes that they have: refuses if `held`, the caller's scopes, do not include
    /// all required ones.
    pub fn check(self, held: Scopes) -> Result<()> {
        held.require_all(self.required())
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::Error;

    fn scopes() -> impl Strategy<Value = Scopes> {
        vec(prop::sample::select(Scope::ALL), 0..Scope::ALL.len()).prop_map(|all| all.into_iter().collect())
    }

    fn changes() -> impl Strategy<Value = AccessChange> {
        (prop::sample::select(Scope::ALL), scopes(), scopes())
            .prop_map(|(administers, before, after)| AccessChange { administers, before, after })
    }

    proptest! {
        #[test]
        fn a_change_needs_every_scope_it_touches(held in scopes(), change in changes()) {
            let touched = |scope: &Scope| {
                *scope == change.administers || change.before.has(*scope) || change.after.has(*scope)
            };
            let missing: Scopes =
                Scope::ALL.iter().copied().filter(|scope| touched(scope) && !held.has(*scope)).collect();
            let expected = if missing.is_empty() { Ok(()) } else { Err(Error::Forbidden(missing)) };
            prop_assert_eq!(change.check(held), expected);
        }

        /// In any sequence of changes, no scope appears that no caller had, and no caller loses a scope to one without
        /// it.
        #[test]
        fn callers_together_never_get_a_scope_that_none_of_them_had(
            mut held in vec(scopes(), 1..5),
            steps in vec((0_usize..5, 0_usize..5, scopes()), 0..40),
        ) {
            let had = held.iter().copied().fold(Scopes::default(), Scopes::union);
            for (by, of, after) in steps {
                let (by, of) = (by % held.len(), of % held.len());
                let change = AccessChange::of_users(held[of], after);
                if change.check(held[by]).is_ok() {
                    prop_assert!(held[by].contains(held[of]) && held[by].contains(after));
                    held[of] = after;
                }
            }
            prop_assert!(held.iter().all(|now| had.contains(*now)));
        }
    }
}

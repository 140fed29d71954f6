//! The roles of a person. Together they allow what each of them allows.

use std::fmt;
use std::iter::once;

use super::Role;
use crate::fault::FaultCode;
use crate::json::{Fields, FromJson as _};
use crate::schema::{Described, Member, Object, Presence, Schema};
use crate::scope::Scopes;
use crate::word::each_once;

/// The roles of a person in an organization: at least one, each once, in the order in which they were given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles {
    first: Role,
    others: Vec<Role>,
}

impl Roles {
    /// These roles, each once; none if there is no role.
    pub fn new(roles: impl IntoIterator<Item = Role>) -> Option<Self> {
        let mut roles = roles.into_iter();
        let mut read = Self::from(roles.next()?);
        for role in roles {
            if !read.has(role) {
                read.others.push(role);
            }
        }
        Some(read)
    }

    /// Reads the form in which they are stored: words with a space between them.
    pub fn parse(text: &str) -> Option<Self> {
        Self::new(text.split(' ').map(Role::parse).collect::<Option<Vec<_>>>()?)
    }

    /// The first one.
    pub fn first(&self) -> Role {
        self.first
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Role> {
        once(self.first).chain(self.others.iter().copied())
    }

    /// Whether a role is among them.
    pub fn has(&self, role: Role) -> bool {
        self.iter().any(|it| it == role)
    }

    /// What they allow together.
    pub fn scopes(&self) -> Scopes {
        union(self.iter())
    }

    /// What those of them allow that are not among the others, even if the others allow it too.
    pub fn scopes_beyond(&self, others: &Self) -> Scopes {
        union(self.iter().filter(|role| !others.has(*role)))
    }

    /// Reads `role` or `roles`, not both, of an object whose other members are read too. With [`Presence::Required`] one of them
    /// must be sent; otherwise, as in a merge patch, none has to be, and null is a fault.
    pub fn members(fields: &mut Fields<'_, '_>, presence: Presence) -> Option<Self> {
        let (one, several) = if presence == Presence::Required {
            (fields.optional_with("role", Role::from_json), fields.optional_with("roles", each_once))
        } else {
            (fields.patch_set_with("role", Role::from_json), fields.patch_set_with("roles", each_once))
        };
        match (fields.was_sent("role"), fields.was_sent("roles")) {
            (true, true) => fields.fault("roles", FaultCode::Conflict, "cannot be sent together with role"),
            (false, false) if presence == Presence::Required => {
                fields.fault("role", FaultCode::Required, "is required, or roles");
            }
            _ => {}
        }
        one.map(Self::from).or_else(|| Self::new(several?))
    }
}

fn union(roles: impl Iterator<Item = Role>) -> Scopes {
    roles.map(Role::scopes).fold(Scopes::default(), Scopes::union)
}

impl From<Role> for Roles {
    fn from(first: Role) -> Self {
        Self { first, others: Vec::new() }
    }
}

/// The form in which they are stored: words with a space between them.
impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.first.as_str())?;
        self.others.iter().try_for_each(|role| write!(f, " {role}"))
    }
}

/// The two members of which one is sent.
impl Described for Roles {
    const SCHEMA: Schema = Schema::Object(&Object {
        name: "Roles",
        about: "The roles of a user.",
        members: &[
            member(
                "role",
                "The user's one role in this organization. Either this or `roles` is sent.",
                Role::SCHEMA,
                None,
            ),
            member(
                "roles",
                "The user's roles in this organization, each once: the user may do what any of them allows.",
                Schema::List { of: &Role::SCHEMA, least: 1, most: Role::ALL.len() },
                Some(r#"["responder", "auditor"]"#),
            ),
        ],
    });
}

const fn member(
    name: &'static str,
    about: &'static str,
    schema: Schema,
    example: Option<&'static str>,
) -> Member {
    Member::One { name, about, presence: Presence::Nullable, schema, example }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::access::AccessChange;
    use crate::scope::Scope;

    fn roles() -> impl Strategy<Value = Roles> {
        vec(prop::sample::select(Role::ALL), 1..9).prop_map(|roles| Roles::new(roles).unwrap())
    }

    proptest! {
        #[test]
        fn several_roles_allow_what_any_of_them_allows(roles in roles()) {
            for scope in Scope::ALL {
                let of_one = Role::ALL.iter().any(|role| roles.has(*role) && role.scopes().has(*scope));
                prop_assert_eq!(roles.scopes().has(*scope), of_one, "{:?}", scope);
            }
            prop_assert_eq!(Roles::parse(&roles.to_string()), Some(roles));
        }

        #[test]
        fn each_role_stands_once_in_the_order_in_which_it_was_given(
            given in vec(prop::sample::select(Role::ALL), 0..9),
        ) {
            let Some(roles) = Roles::new(given.iter().copied()) else {
                prop_assert!(given.is_empty());
                return Ok(());
            };
            prop_assert_eq!(roles.first(), given[0]);
            let places: Vec<_> =
                roles.iter().map(|role| given.iter().position(|it| *it == role).unwrap()).collect();
            prop_assert!(places.is_sorted_by(|a, b| a < b));
            prop_assert!(given.iter().all(|role| roles.has(*role)));
        }

        /// A change of roles gives nobody a scope that its author lacks, and takes none away that its author lacks.
        #[test]
        fn nobody_gives_or_takes_a_role_that_allows_more_than_they_may(
            before in roles(), after in roles(), held in roles(),
        ) {
            let held = held.scopes().union(Scope::UsersAdmin.into());
            let is_changed = |role: &&Role| before.has(**role) != after.has(**role);
            let may = Role::ALL.iter().filter(is_changed).all(|role| held.contains(role.scopes()));
            let change = AccessChange::of_roles(&before, &after);
            prop_assert_eq!(change.check(held).is_ok(), may);
            if may {
                prop_assert!(before.scopes().union(held).contains(after.scopes()));
                prop_assert!(after.scopes().union(held).contains(before.scopes()));
            }
        }
    }

    #[test]
    fn no_role_and_an_unknown_one_are_no_roles() {
        for text in ["", " ", "viewer ", "king", "viewer king", "viewer,admin"] {
            assert_eq!(Roles::parse(text), None, "{text:?}");
        }
    }
}

//! Reset links: with one, a person chooses another password without the one that they have.

use jiff::{SignedDuration, Timestamp};

use crate::access::AccessChange;
use crate::actor::{Actor, ActorKind};
use crate::error::Error;
use crate::error_code::ErrorCode;
use crate::ids::{ResetLinkId, UserId};
use crate::person::Member;
use crate::scope::Scope;

/// How long a reset link is open: 30 minutes.
pub const OPEN_FOR: SignedDuration = SignedDuration::from_mins(30);

/// An open reset link, which an organization made for a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResetLink {
    /// Its id.
    pub id: ResetLinkId,
    /// The person whose password it replaces.
    pub person: UserId,
    /// Which of their passwords it replaces. It does not replace a later one.
    pub password_version: i64,
    /// When it was made.
    pub created_date: Timestamp,
    /// From when on it cannot be used.
    pub expires_date: Timestamp,
    /// The actor that made it.
    pub created_by: Actor,
}

/// What a person is outside of the organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elsewhere {
    /// Whether they are a member of another organization too.
    pub is_member: bool,
    /// Whether they are an operator of the service.
    pub is_operator: bool,
}

/// Why an organization cannot reset a password of a member, whatever the caller may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// It is the caller's own, which is changed with the old one: a session that was left open must not be enough.
    Own,
    /// The member has not accepted an invitation: an invitation is what they need.
    CannotSignIn,
    /// The password is that of an operator of the service, who may do more than any member.
    Operator,
    /// The password opens another organization too. Which ones, and how many, is not said.
    MemberElsewhere,
}

impl From<Obstacle> for Error {
    fn from(obstacle: Obstacle) -> Self {
        Self::Conflict(match obstacle {
            Obstacle::Own => ErrorCode::OwnPassword,
            Obstacle::CannotSignIn => ErrorCode::MemberCannotSignIn,
            Obstacle::Operator => ErrorCode::MemberIsOperator,
            Obstacle::MemberElsewhere => ErrorCode::MemberElsewhere,
        })
    }
}

/// What prevents `by` from resetting the password of a member.
pub fn obstacle(by: &Actor, member: &Member, elsewhere: Elsewhere) -> Option<Obstacle> {
    if by.kind == ActorKind::User && by.id == member.person.id.to_string() {
        Some(Obstacle::Own)
    } else if member.activated_date.is_none() {
        Some(Obstacle::CannotSignIn)
    } else if elsewhere.is_operator {
        Some(Obstacle::Operator)
    } else if elsewhere.is_member {
        Some(Obstacle::MemberElsewhere)
    } else {
        None
    }
}

/// The access that a reset link gives to whoever opens it: all that the member may do, and the incidents that they see
/// because they opened them or are named in them.
pub fn access(member: &Member) -> AccessChange {
    let opens = member.roles.scopes().union(Scope::IncidentsRestricted.into());
    AccessChange::of_users(opens, opens)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::person::Person;
    use crate::role::Role;
    use crate::scope::Scopes;

    const HERE: Elsewhere = Elsewhere { is_member: false, is_operator: false };

    fn member(activated_date: Option<Timestamp>) -> Member {
        let id = UserId(Uuid::from_u128(1));
        let person = Person { id, name: "Ada".into(), email: "ada@x.org".into() };
        let (roles, created_date) = (Role::Viewer.into(), Timestamp::UNIX_EPOCH);
        Member { person, job_title: None, roles, created_date, activated_date, version: 1 }
    }

    fn actor(kind: ActorKind, id: &str) -> Actor {
        Actor { kind, id: id.to_owned(), name: "Eve".to_owned() }
    }

    #[test]
    fn only_a_member_who_signs_in_here_alone_is_reset_and_by_somebody_else() {
        let ada = member(Some(Timestamp::UNIX_EPOCH));
        let eve = actor(ActorKind::User, &UserId(Uuid::from_u128(2)).to_string());
        assert_eq!(obstacle(&eve, &ada, HERE), None);
        assert_eq!(obstacle(&ada.actor(), &ada, HERE), Some(Obstacle::Own));
        // A client is nobody's self, whatever it is called.
        assert_eq!(obstacle(&actor(ActorKind::Client, &ada.actor().id), &ada, HERE), None);
        assert_eq!(obstacle(&eve, &member(None), HERE), Some(Obstacle::CannotSignIn));
        let operator = Elsewhere { is_operator: true, ..HERE };
        assert_eq!(obstacle(&eve, &ada, operator), Some(Obstacle::Operator));
        let two = Elsewhere { is_member: true, ..HERE };
        assert_eq!(obstacle(&eve, &ada, two), Some(Obstacle::MemberElsewhere));
    }

    #[test]
    fn a_link_needs_all_that_the_person_may_do_and_sees() {
        let required = access(&member(None)).required();
        assert!(required.contains(Role::Viewer.scopes()));
        for scope in [Scope::UsersAdmin, Scope::IncidentsRead, Scope::IncidentsRestricted] {
            assert!(required.has(scope), "{scope:?}");
            let held = Scopes::all().iter().filter(|it| *it != scope).collect();
            assert!(access(&member(None)).check(held).is_err(), "{scope:?}");
        }
    }
}

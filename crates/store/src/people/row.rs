//! How a member is stored in the tables.

use db::{FromRow, Row};
use domain::person::{Member, Person};
use domain::{Role, UserId};
use jiff::Timestamp;

/// The columns of a [`Member`], of `membership` joined with `person`.
pub(crate) const MEMBER: &str = "membership.person, membership.name, person.email, membership.role,
    membership.created_date, membership.activated_date, membership.version";

/// The member in the columns [`MEMBER`], which begin at `first`.
pub(crate) fn member(row: &Row<'_>, first: usize) -> db::Result<Member> {
    Ok(Member {
        person: Person { id: UserId(row.get(first)?), name: row.get(first + 1)?, email: row.get(first + 2)? },
        role: role(&row.get::<String>(first + 3)?)?,
        created_date: row.get(first + 4)?,
        activated_date: row.get(first + 5)?,
        version: row.get(first + 6)?,
    })
}

/// A role as it is stored.
pub(crate) fn role(text: &str) -> db::Result<Role> {
    Role::parse(text).ok_or_else(|| db::Error::Internal(format!("the role {text} is not known")))
}

/// A membership, also of a removed member.
pub(super) struct MemberRow {
    pub(super) member: Member,
    pub(super) removed_date: Option<Timestamp>,
}

impl FromRow for MemberRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self { member: member(row, 0)?, removed_date: row.get(7)? })
    }
}

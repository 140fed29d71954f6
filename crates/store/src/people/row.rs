//! How people and memberships are stored.

use domain::document::Day;
use domain::person::{Member, Person};
use domain::{Line, Roles, UserId};
use jiff::Timestamp;

use crate::ledger::record::names::Joined;
use crate::ledger::record::{columns_as, record};

/// A person as the instance knows them.
pub(crate) struct PersonRow {
    pub(super) id: UserId,
    pub(super) email: String,
    pub(super) password_hash: Option<String>,
    pub(super) password_version: i64,
    pub(super) created_date: Timestamp,
    pub(super) operator_date: Option<Timestamp>,
}

record! {
    PersonRow in "person" of Instance {
        id: Plain => Key,
        email: Folded => Journaled,
        password_hash: Plain => Counted,
        password_version: Plain => Counted,
        created_date: Plain => Fixed,
        operator_date: Plain => Journaled,
    }
}

/// A membership, also of a removed member.
#[derive(Clone)]
pub(crate) struct Membership {
    pub(super) person: UserId,
    /// The person as text, as the journal has it.
    pub(super) actor_id: String,
    pub(super) name: String,
    pub(super) job_title: Option<Line>,
    pub(super) roles: Roles,
    pub(super) removed_date: Option<Timestamp>,
    pub(super) activated_date: Option<Timestamp>,
    pub(super) created_date: Timestamp,
    /// Who approves documents in this member's place.
    pub(super) deputy: Option<UserId>,
    /// The last day of that.
    pub(super) deputy_until: Option<Day>,
    /// When this state began.
    pub(super) updated_date: Timestamp,
    pub(super) version: i64,
    /// The entry that this state begins with.
    pub(super) seq_from: i64,
}

record! {
    Membership in "membership" {
        person: Plain => Key,
        actor_id: Plain => Fixed,
        name: Plain => Journaled,
        job_title: Plain => Journaled,
        roles: AList => Journaled,
        removed_date: Plain => Journaled,
        activated_date: Plain => Journaled,
        created_date: Plain => Fixed,
        deputy: Plain => Journaled,
        deputy_until: Plain => Journaled,
        updated_date: Plain => Counted,
        version: Plain => Counted,
        seq_from: Plain => Counted,
    }
}

/// A membership with the person's e-mail address.
#[derive(Clone)]
pub(crate) struct MemberRow {
    pub(super) membership: Membership,
    pub(super) email: String,
}

record! {
    MemberRow in "membership" with membership: Membership {
        email as "person": EmailOfPerson => Fixed,
    }
}

impl MemberRow {
    /// The member, as a row called `member`, whose id is in the column `field`. Rows without one are left out.
    pub(crate) fn joined(row: &str, field: &str) -> Joined {
        let member = columns_as::<Self>("member");
        let joins = format!(
            " JOIN membership AS member ON member.organization = {row}.organization AND member.person = {row}.{field}{}",
            member.joins
        );
        Joined { joins, ..member }
    }
}

impl From<MemberRow> for Member {
    fn from(MemberRow { membership, email }: MemberRow) -> Self {
        let Membership { person, name, job_title, roles, created_date, activated_date, version, .. } =
            membership;
        let person = Person { id: person, name, email };
        Self { person, job_title, roles, created_date, activated_date, version }
    }
}

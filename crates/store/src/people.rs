//! People, their passwords and their memberships. Entries of a person are in the instance's chain, those of a
//! membership in its organization's.
//! People are shared by their e-mail address, and addresses are not verified. So an organization can only change its
//! memberships; and a member can sign in once an invitation of this organization was accepted (`activated_date`), which
//! requires the person's password if they have one.

mod activate;
mod add;
mod change;
mod deputy;
mod history;
mod journaled;
mod operator;
mod password;
mod read;
mod remove;
mod row;

pub(crate) use activate::activate;
pub use add::add;
pub(crate) use add::{Joining, create_person};
pub use change::{set_job_title, update};
pub(crate) use deputy::deputies;
pub use deputy::{deputy, set_deputy};
pub(crate) use history::{MemberHistory, histories};
pub(crate) use journaled::{recorded, recorded_persons};
pub use operator::set_operator;
pub(crate) use password::password_changed;
pub use password::{Credentials, change_own_password, credentials, rehash, set_password};
pub(crate) use read::person;
pub use read::{
    MOST_ORGANIZATIONS, MemberFilter, count, find_by_email, first, get, list, named, organizations,
    with_scopes,
};
pub use remove::remove;
pub(crate) use row::{MemberRow, Membership, PersonRow};

use domain::{Error, ErrorCode, UserId};

use crate::ledger::journal::Subject;

fn subject(id: UserId) -> Subject {
    Subject::new("membership", id.to_string())
}

fn person_subject(id: UserId) -> Subject {
    Subject::new("user", id.to_string())
}

/// The conflict that the person is a member already.
pub(crate) fn already_member() -> Error {
    Error::Conflict(ErrorCode::AlreadyMember)
}

//! Groups of an organization, and who is in them. A person is in a group only while they are a member of the organization.

mod change;
mod journaled;
mod members;
mod named;
mod read;

pub use change::{create, delete, update};
pub(crate) use journaled::recorded;
pub(crate) use members::leave_all;
pub use members::{add_member, remove_member};
pub(crate) use named::{Named, check_named};
pub use read::{GroupFilter, count, get, list};
pub(crate) use read::{OF_PERSON, having};

use domain::GroupId;
use domain::group::Group;

use crate::ledger::journal::Subject;
use crate::ledger::record::record;

record! {
    Group in "member_group" {
        id: Plain => Key,
        name: Folded => Journaled,
        description: Plain => Journaled,
        members: Plain => Counted,
        deleted_date: Plain => Journaled,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        version: Plain => Counted,
        seq_from: Plain => Counted,
    }
}

/// The subject of a group's entries.
fn subject(id: GroupId) -> Subject {
    Subject::new("group", id.to_string())
}

/// The field of a group's entries for one member, which is true while they are in it.
fn member_field(person: impl std::fmt::Display) -> String {
    format!("members/{person}")
}

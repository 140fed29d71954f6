//! Requests to acknowledge a document: whom they mean, and how long those have.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use macros::Body;

use crate::actor::Actor;
use crate::fault::{FaultCode, Faults};
use crate::ids::{AcknowledgementRequestId, GroupId, UserId};
use crate::role::Role;

/// The most people that one request names.
pub const MAX_PEOPLE: usize = 500;

/// The days in which people have to acknowledge.
const DUE_DAYS: RangeInclusive<i64> = 1..=366;

crate::words! {
    "AskedPeople"
    /// Whom a request to acknowledge means: those whom this is true of, now or later.
    pub enum AskedPeople {
        /// Every member of the organization.
        All = "all",
        /// The members with a role.
        Role = "role",
        /// The members of a group.
        Group = "group",
        /// The members that it names.
        Users = "users",
    }
}

/// A request to acknowledge a document. It stays in force when a newer version is published, until somebody ends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcknowledgementRequest {
    /// Its id.
    pub id: AcknowledgementRequestId,
    /// The document's slug.
    pub document: String,
    /// The newest version when it was made.
    pub document_version: i64,
    /// Whom it means.
    pub who: AskedPeople,
    /// Members with this role.
    pub role: Option<Role>,
    /// Members of this group.
    pub group: Option<GroupId>,
    /// These members.
    pub users: Vec<UserId>,
    /// Within so many days of being asked they have to acknowledge; none sets no date.
    pub due_days: Option<i64>,
    /// Who made it.
    pub created_by: Actor,
    /// When it was made.
    pub created_date: Timestamp,
    /// When somebody ended it.
    pub ended_date: Option<Timestamp>,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

/// Whom a document is to be acknowledged by. Who joins the organization, gets the role or enters the group later is asked then.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(whole = Self::check)]
pub struct NewAcknowledgementRequest {
    /// Whom the request means.
    #[body(example = "all")]
    pub who: AskedPeople,
    /// The role, with `role` only.
    pub role: Option<Role>,
    /// The id of the group, with `group` only.
    pub group: Option<GroupId>,
    /// The ids of members, with `users` only.
    #[body(least = 1, most = MAX_PEOPLE)]
    pub users: Option<Vec<UserId>>,
    /// Within so many days of being asked the members have to acknowledge; without it there is no date.
    #[body(range = DUE_DAYS)]
    pub due_days: Option<i64>,
}

impl NewAcknowledgementRequest {
    /// The member of the body that says whom it means is there, and no other one.
    fn check(&self, faults: &mut Faults) {
        for (name, who, is_sent) in [
            ("role", AskedPeople::Role, self.role.is_some()),
            ("group", AskedPeople::Group, self.group.is_some()),
            ("users", AskedPeople::Users, self.users.is_some()),
        ] {
            let pointer = format_args!("#/{name}");
            match (self.who == who, is_sent) {
                (true, false) => faults.add(pointer, FaultCode::Required, "is required"),
                (false, true) => {
                    let detail = format!("goes with `who` {name} only");
                    faults.add(pointer, FaultCode::Conflict, detail);
                }
                _ => {}
            }
        }
        match self.users.as_ref().map_or(1, Vec::len) {
            0 => faults.add("#/users", FaultCode::TooFew, "must name at least one member"),
            count if count > MAX_PEOPLE => {
                faults.add("#/users", FaultCode::TooMany, format!("must name at most {MAX_PEOPLE} members"));
            }
            _ => {}
        }
    }
}

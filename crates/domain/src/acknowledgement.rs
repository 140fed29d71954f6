//! Acknowledgements of published documents: who is asked for one, who has given one that counts, and until when the others
//! have time. Everything is answered for one moment, today or in the past: what came later is not looked at.

mod coverage;
mod given;
mod request;
mod state;
#[cfg(test)]
mod tests;
mod totals;

use jiff::Timestamp;

pub use self::given::{Acknowledgement, NewAcknowledgement, OnPaper};
pub use self::request::{AcknowledgementRequest, AskedPeople, MAX_PEOPLE, NewAcknowledgementRequest};
pub use self::state::{AcknowledgementStatus, PersonCoverage, ToAcknowledge, sees_everybody};
pub use self::totals::Totals;

/// A time for which somebody belonged to something: from its start until before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stay {
    /// Its start.
    pub from: Timestamp,
    /// Its end; none while it lasts.
    pub until: Option<Timestamp>,
}

/// A published version, as far as acknowledgements are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedVersion {
    /// Its number: 1, 2, 3 and so on.
    pub number: i64,
    /// Whether everybody is asked again. The first version always is material.
    pub is_material: bool,
    /// When it was published.
    pub at: Timestamp,
}

/// A request to acknowledge a document, as far as it means one person. It stays in force when a newer version is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestOfPerson {
    /// When it was made.
    pub at: Timestamp,
    /// Within so many days of being asked the person has to acknowledge; none sets no date.
    pub due_days: Option<i64>,
    /// When the person belonged to those whom it means: the organization, a role or a group. They do not overlap.
    pub stays: Vec<Stay>,
}

/// An acknowledgement that a person gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Given {
    /// The version that they acknowledged.
    pub version: i64,
    /// When.
    pub at: Timestamp,
}

/// What is known of one person and one document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PersonOfDocument {
    /// When they were a member of the organization.
    pub memberships: Vec<Stay>,
    /// When they could sign in, after they had accepted an invitation.
    pub activations: Vec<Stay>,
    /// The requests that mean or meant them.
    pub requests: Vec<RequestOfPerson>,
    /// Their acknowledgements.
    pub given: Vec<Given>,
}

/// For how long an acknowledgement counts, from a moment on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// Since when that holds, until the next one does.
    pub from: Timestamp,
    /// So many days; none: until the next material version.
    pub days: Option<i64>,
}

/// A document, as far as acknowledgements are concerned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AcknowledgedDocument {
    /// Its published versions, by number.
    pub versions: Vec<PublishedVersion>,
    /// For how long acknowledgements count and counted, the earliest first.
    pub intervals: Vec<Interval>,
    /// When it is or was archived. Nobody is asked then.
    pub archived: Vec<Stay>,
}

/// Whether a person has acknowledged a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// No request means them.
    NotAsked,
    /// They gave an acknowledgement that counts.
    Covered {
        /// The latest one.
        by: Given,
        /// When they are asked again, unless a material version is published before; none: not before.
        until: Option<Timestamp>,
    },
    /// They are asked, and have not acknowledged.
    Open {
        /// Since when.
        asked: Timestamp,
        /// Until when they have time; none sets no date.
        due: Option<Timestamp>,
    },
    /// They are asked, and cannot sign in, because they have not accepted an invitation.
    NotReached,
}

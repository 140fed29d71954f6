//! Ways out of an approval or a decision that cannot go on: others act in somebody's place, or four eyes are waived. Each is recorded.

use jiff::Timestamp;
use macros::Body;

use super::day::Day;
use crate::actor::Actor;
use crate::ids::{RiskNumber, UserId};
use crate::person::Person;
use crate::text::Reason;

/// Who approves a proposal in the place of somebody whom its pending step names.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct NewReplacement {
    /// The id of the member whom the pending step names.
    pub person: UserId,
    /// The id of the member who approves instead, with `documents:approve`.
    pub replacement: UserId,
    /// Why.
    #[body(example = "On parental leave until May.")]
    pub reason: Reason,
}

/// Who approves documents in the caller's place.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct NewDeputy {
    /// The id of another member with `documents:approve`.
    pub user: UserId,
    /// The last day (UTC).
    pub until: Day,
}

/// Who approves documents in somebody's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deputy {
    /// The other member.
    pub user: Person,
    /// The last day (UTC).
    pub until: Day,
}

crate::words! {
    "ApprovalWaiverKind"
    /// The kinds of ways out of an approval.
    pub enum WaiverKind {
        /// An admin let somebody approve a proposal in the place of another person.
        Replacement = "replacement",
        /// An admin let the authors of a proposal approve it, or let those decide who have made a request for an acceptance or an exception.
        FourEyes = "four_eyes",
        /// Somebody recorded what others had decided on a proposal, or on a request for an acceptance or an exception.
        Decision = "decision",
        /// Somebody named a deputy, or withdrew that.
        Deputy = "deputy",
        /// Four eyes were switched on or off for the organization.
        Organization = "organization",
    }
}

/// A way out that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// The number of its entry in the journal.
    pub seq: i64,
    /// Which one.
    pub kind: WaiverKind,
    /// When.
    pub at: Timestamp,
    /// Who took it.
    pub by: Actor,
    /// The proposal.
    pub proposal: Option<i64>,
    /// The slug of the document of the proposal or the exception.
    pub document: Option<String>,
    /// The risk whose acceptance was asked for.
    pub risk: Option<RiskNumber>,
    /// The number of that acceptance.
    pub acceptance: Option<i64>,
    /// The number of the exception to the document.
    pub exception: Option<i64>,
    /// In whose place somebody acts.
    pub person: Option<Person>,
    /// Who acts instead.
    pub replacement: Option<Person>,
    /// The last day of a deputy.
    pub until: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// Who decided, of a decision that was recorded.
    pub decided_by: Option<String>,
    /// On which day.
    pub decided_date: Option<String>,
    /// The reference of the minutes.
    pub minutes: Option<String>,
    /// Whether the organization demands four eyes since.
    pub four_eyes: Option<bool>,
}

//! Proposals: the open changes of a document, one change set per caller.

use jiff::Timestamp;

use super::NodeType;
use super::approval_step::ApprovalStep;
use super::day::Day;
use super::given_approval::StepWithApprovals;
use super::offer::TakenText;
use super::proposal_status::ProposalStatus;
use super::proposed::{ProposalField, ProposedChanges, RemovedValue};
use super::report::ReportSource;
use crate::actor::Actor;
use crate::error::Error;
use crate::fault::FaultCode;
use crate::person::Person;
use crate::text::{Prose, Reason};

/// The set of changes to a document until it is approved, rejected or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Counted per organization, never reused.
    pub number: i64,
    /// The document's slug.
    pub document: String,
    /// Its lifecycle status.
    pub status: ProposalStatus,
    /// Whether it was opened to confirm what is published: unless something is changed in it, its approval makes no version.
    pub confirms: bool,
    /// When it was opened.
    pub created_date: Timestamp,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// By number.
    pub change_sets: Vec<ChangeSet>,
    /// Ids of required items that an approval would leave without a value, in the order of the text. An empty
    /// text does not count as a value; a default does, unless another value was set.
    pub missing: Vec<String>,
    /// Items that its change sets set differently.
    pub conflicts: Vec<Conflict>,
    /// What it changes beside the values of items.
    pub changes: ProposedChanges,
    /// The values that its items do not take, by item.
    pub removed: Vec<RemovedValue>,
    /// What it waits for.
    pub next: Option<Next>,
    /// The SHA-256 of the text that an approval publishes, or with which it ended. Lists have it from its submission on.
    pub sha256: Option<String>,
    /// What changed and why, as it was last submitted.
    pub summary: Option<Prose>,
    /// Whether everybody acknowledges the document again: as it was submitted; while it is open, what a submission proposes. None
    /// of an open one in a list.
    pub is_material: Option<bool>,
    /// Why; none while it is open.
    pub material_reason: Option<Reason>,
    /// The day from which it is to hold; none while it is open.
    pub effective_date: Option<Day>,
    /// Why it was returned, rejected or withdrawn.
    pub reason: Option<Reason>,
    /// The steps of its approval: those of its submission, before that those of the document.
    pub approval_steps: Vec<ApprovalStep>,
    /// The same, with what was approved in each.
    pub steps: Vec<StepWithApprovals>,
    /// Why an admin let authors approve it.
    pub four_eyes_waived: Option<Reason>,
    /// The text of the library that was taken into it last.
    pub library: Option<TakenText>,
    /// What the text of a kept report was made from.
    pub report: Option<ReportSource>,
    /// Counts its changes from 1.
    pub version: i64,
}

/// The most people that are named.
pub(super) const MOST_NAMED: usize = 100;

crate::words! {
    "ProposalAction"
    /// What a proposal waits for.
    pub enum NextAction {
        /// Values: required items have none, or nothing is changed yet.
        Edit = "edit",
        /// A choice between the values that authors set for an item.
        Resolve = "resolve",
        /// Its submission.
        Submit = "submit",
        /// Its approval.
        Approve = "approve",
    }
}

/// What a proposal waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// What has to be done.
    pub action: NextAction,
    /// The people who can do it, by name: the first 100. If there is nobody, `reason` says what helps.
    pub who: Vec<Person>,
    /// Why.
    pub reason: String,
}

/// An item that change sets set differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The item's id.
    pub node_id: String,
    /// The values, by change set.
    pub values: Vec<ConflictingValue>,
}

/// One of the values of an item in conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConflictingValue {
    /// The number of the change set.
    pub change_set: i64,
    /// The value.
    pub value: String,
    /// Who set it.
    pub by: Actor,
}

/// One caller's selections in a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSet {
    /// Counted per organization, never reused.
    pub number: i64,
    /// The caller that made it.
    pub author: Actor,
    /// When it was made.
    pub created: Timestamp,
    /// When a later call changed it; null before.
    pub updated_date: Option<Timestamp>,
    /// How many items it has an edit of.
    pub edits_count: i64,
    /// How many of these do not only repeat the value that was in force and still is the published one or another author's.
    pub changes_count: i64,
    /// What else its author changed and the proposal still changes.
    pub fields: Vec<ProposalField>,
}

impl ChangeSet {
    /// Whether its author is one of the proposal.
    pub fn has_changes(&self) -> bool {
        self.changes_count > 0 || !self.fields.is_empty()
    }
}

/// An edit as it stands in a change set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEdit {
    /// The number of the change set.
    pub change_set: i64,
    /// The item's id.
    pub node_id: String,
    /// The item's kind.
    pub node_type: NodeType,
    /// The new value.
    pub value: String,
    /// The value in force before: the proposal's latest, else the published one, else the default; null without any.
    pub previous: Option<String>,
    /// When it was set.
    pub set_date: Timestamp,
    /// Whether it was chosen among the values that authors set for the item.
    pub is_adopted: bool,
}

/// The result of an edit call: where its edits are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// The number of the caller's change set.
    pub change_set: i64,
    /// The number of the document's open proposal.
    pub proposal: i64,
    /// When the change set was made.
    pub created: Timestamp,
    /// When a later call changed it; null when this call made it, or none has changed it since.
    pub updated_date: Option<Timestamp>,
}

/// The most bytes of UTF-8 that the values of a proposal's edits have together, unless the operator says otherwise: 4
/// MiB.
pub const DEFAULT_PROPOSAL_BYTES: i64 = 4 * 1024 * 1024;

/// The bytes of text that a proposal holds once `change` is added to what it held.
pub fn proposal_bytes(held: i64, change: i64, most: i64) -> crate::Result<i64> {
    let bytes = held + change;
    if change > 0 && bytes > most {
        let detail = format!("The texts of a proposal have at most {most} bytes together.");
        return Err(Error::invalid("#", FaultCode::ProposalTooLarge, detail));
    }
    Ok(bytes)
}

//! Proposals: the open changes of a document, one change set per caller.

use std::collections::HashMap;

use jiff::Timestamp;

use super::{Edit, Item, NodeType};
use crate::actor::Actor;

crate::words! {
    "ProposalStatus"
    /// Where a proposal is in its life. Only `open` is reached so far.
    pub enum ProposalStatus {
        /// Takes edits.
        Open = "open",
        /// Waits for approval.
        Submitted = "submitted",
        /// Published.
        Approved = "approved",
        /// Refused, with a reason.
        Rejected = "rejected",
        /// Taken back, with a reason.
        Withdrawn = "withdrawn",
    }
}

/// The set of changes to a document until it is approved, rejected or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Counted per organization, never reused.
    pub number: i64,
    /// The document's slug.
    pub document: String,
    /// Where it is in its life.
    pub status: ProposalStatus,
    /// When it was opened.
    pub created_date: Timestamp,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// By number.
    pub change_sets: Vec<ChangeSet>,
    /// Ids of required items that would have no value, in the order of the text.
    pub missing: Vec<String>,
}

/// One caller's selections in a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSet {
    /// Counted per organization, never reused.
    pub number: i64,
    /// Whose it is.
    pub author: Actor,
    /// When it was made.
    pub created: Timestamp,
    /// When a later call changed it; null before.
    pub updated_date: Option<Timestamp>,
    /// One per item, in the order of the text.
    pub edits: Vec<RecordedEdit>,
}

/// An edit as it stands in a change set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEdit {
    /// The item's id.
    pub node_id: String,
    /// The item's kind.
    pub node_type: NodeType,
    /// The new value.
    pub value: String,
    /// The value in force before: the proposal's latest, else the published one; null without either.
    pub previous: Option<String>,
    /// When it was set.
    pub set_date: Timestamp,
}

/// What came of a call that edits: where its edits stand.
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

/// What an approval would publish: the published values, and over them the latest edit of each item,
/// whoever made it. Keys are item ids.
pub fn values_in_force<'a>(
    published: impl IntoIterator<Item = (&'a str, &'a str)>,
    edits: impl IntoIterator<Item = &'a RecordedEdit>,
) -> HashMap<&'a str, &'a str> {
    let mut values: HashMap<&str, &str> = published.into_iter().collect();
    let mut latest: HashMap<&str, Timestamp> = HashMap::new();
    for edit in edits {
        let id = edit.node_id.as_str();
        if latest.get(id).is_none_or(|set_date| *set_date <= edit.set_date) {
            latest.insert(id, edit.set_date);
            values.insert(id, &edit.value);
        }
    }
    values
}

/// The required items without a value, in the order of the text. An empty text is no value, and
/// neither is a default, which nobody chose.
pub fn missing(items: &[Item], values: &HashMap<&str, &str>) -> Vec<String> {
    let empty = |item: &&Item| values.get(item.id.as_str()).is_none_or(|value| value.is_empty());
    items.iter().filter(|item| item.required).filter(empty).map(|item| item.id.clone()).collect()
}

/// The edits that are not already in the caller's change set with the same value. If there is none,
/// the call records nothing.
pub fn fresh_edits<'a>(own: &[RecordedEdit], edits: &'a [Edit]) -> Vec<&'a Edit> {
    let own: HashMap<&str, &str> =
        own.iter().map(|edit| (edit.node_id.as_str(), edit.value.as_str())).collect();
    edits.iter().filter(|edit| own.get(edit.node_id.as_str()) != Some(&edit.value.as_str())).collect()
}

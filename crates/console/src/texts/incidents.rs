//! Texts of the pages about incidents.

use std::fmt::Display;

pub(crate) const NOT_IN_THE_PAST: &str = "That is no time of the past, so there is nothing to show.";
pub(crate) const NOT_DECLARED_THEN: &str = "It was not declared then.";
pub(crate) const NOT_YET: &str = "not yet";
pub(crate) const STATUS: &str = "Status";
pub(crate) const SEVERITY: &str = "Severity";
pub(crate) const ASSIGNED: &str = "Assigned";
pub(crate) const NOBODY: &str = "Nobody";
pub(crate) const KIND: &str = "Kind";
pub(crate) const OCCURRED: &str = "Occurred";
pub(crate) const DETECTED: &str = "Detected";
pub(crate) const RESPONDED: &str = "Responded";
pub(crate) const CONTAINED: &str = "Contained";
pub(crate) const RESOLVED: &str = "Resolved";
pub(crate) const HOW_IT_ENDED: &str = "How it ended";
pub(crate) const ON_HOLD: &str = "On hold";
pub(crate) const PUT_IT_ON_HOLD: &str = "Put it on hold";
pub(crate) const WHO_SEES_IT: &str = "Who sees it";
pub(crate) const MARK_AS_A_DUPLICATE: &str = "Mark as a duplicate";
pub(crate) const LEGAL_HOLD: &str = "Legal hold";
pub(crate) const CLOSE_WITH_OVERRIDE: &str = "Close it although something is missing";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const OPEN_FOR: &str = "Open for";
pub(crate) const COLUMNS_CHANGED: &str = "This device shows these columns from now on.";
pub(crate) const INCIDENT_DECLARED: &str = "The incident is declared.";
pub(crate) const NONE_IN_THE_TRASH: &str = "Nothing was restored: none of them is in the trash any more.";
pub(crate) const FORMER_MEMBER: &str = "Former member";
pub(crate) const LINK_ADDED: &str = "The link is made.";
pub(crate) const LINK_REMOVED: &str = "The link is gone.";
pub(crate) const NOBODY_HAS_TAKEN: &str = "Nobody has taken";
pub(crate) const ALL: &str = "All";
pub(crate) const NOTE_DELETED: &str = "Note deleted.";
pub(crate) const NOTE_EDITED: &str = "Note edited. The earlier text is kept in the audit log.";
pub(crate) const EDIT_NOTE: &str = "Edit note";
pub(crate) const NOTE_ADDED: &str = "Added to the timeline.";
pub(crate) const REVIEW_SAVED: &str = "The review is saved.";
pub(crate) const ACTION_MADE_A_TASK: &str = "The action is a task of the incident now.";
pub(crate) const SUMMARY: &str = "Summary";
pub(crate) const SUMMARY_HINT: &str = "What happened, in a few sentences.";
pub(crate) const ROOT_CAUSE: &str = "Root cause";
pub(crate) const ROOT_CAUSE_HINT: &str = "Why it could happen at all. “Not found, because …” is an answer.";
pub(crate) const WHAT_CONTRIBUTED: &str = "What contributed";
pub(crate) const WHAT_CONTRIBUTED_HINT: &str = "What made it more likely, or worse.";
pub(crate) const WHAT_IT_DID: &str = "What it did";
pub(crate) const WHAT_IT_DID_HINT: &str = "Whom and what it affected.";
pub(crate) const WHAT_WENT_WELL: &str = "What went well";
pub(crate) const WHAT_WENT_WELL_HINT: &str = "So that it is done again.";
pub(crate) const WHAT_WE_LEARNED: &str = "What we learned";
pub(crate) const WHAT_WE_LEARNED_HINT: &str = "What others should know.";
pub(crate) const YES_IT_IS_SPREADING: &str = "Yes, it is spreading";
pub(crate) const NO_IT_IS_CONTAINED: &str = "No, it is contained";
pub(crate) const IT_IS_OVER: &str = "It is over";
pub(crate) const SERVICES: &str = "Services";
pub(crate) const DATA: &str = "Data";
pub(crate) const PEOPLES_SAFETY: &str = "People’s safety";
pub(crate) const MONEY: &str = "Money";
pub(crate) const CONTRACTS_AND_LAW: &str = "Contracts and law";
pub(crate) const REPUTATION: &str = "Reputation";
pub(crate) const NEEDS_ONE_ANSWER: &str = "needs one answer";
pub(crate) const MAKE_IT_NEW_AGAIN: &str = "Make it new again";
pub(crate) const INVESTIGATE: &str = "Investigate";
pub(crate) const INVESTIGATE_AGAIN: &str = "Investigate again";
pub(crate) const CONTAIN: &str = "Contain";
pub(crate) const RESOLVE: &str = "Resolve";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const DISMISS: &str = "Dismiss";
pub(crate) const TASK_ADDED: &str = "The task is added.";
pub(crate) const TASK_CHANGED: &str = "The task is changed.";

/// Who changed who sees it, and is not among them.
pub(crate) fn not_seen_any_more(number: impl Display) -> String {
    format!("{number} was changed. You do not see it any more: you are not one of its readers.")
}

pub(crate) fn on_another_day(number: impl Display) -> String {
    format!("{number} on another day")
}

pub(crate) fn review_of(number: impl Display) -> String {
    format!("Review of {number}")
}

pub(crate) fn severity_of(number: impl Display) -> String {
    format!("Severity of {number}")
}

pub(crate) fn severity_set(number: impl Display) -> String {
    format!("The severity of {number} is set.")
}

/// Two dates stand in an unusual order.
pub(crate) fn odd_order(second: impl Display, first: impl Display) -> String {
    format!("It is odd that “{second}” lies before “{first}”, but possible.")
}

/// A link that was made at the other end.
pub(crate) fn said_there(kind: &str) -> String {
    format!("{kind}, said there")
}

pub(crate) fn needs_answers(count: usize) -> String {
    format!("needs {count} answers")
}

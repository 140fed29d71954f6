//! Texts of the pages about incidents.

use std::fmt::Display;

pub(crate) const NOT_IN_THE_PAST: &str = "Choose a time in the past.";
pub(crate) const NOT_DECLARED_THEN: &str = "The incident had not been declared at that time.";
pub(crate) const UNKNOWN: &str = "Unknown";
pub(crate) const NOT_YET: &str = "Not yet";
pub(crate) const STATUS: &str = "Status";
pub(crate) const SEVERITY: &str = "Severity";
pub(crate) const ASSIGNEE: &str = "Assignee";
pub(crate) const UNASSIGNED: &str = "Unassigned";
pub(crate) const KIND: &str = "Kind";
pub(crate) const RESOLUTION: &str = "Resolution";
pub(crate) const ON_HOLD: &str = "On hold";
pub(crate) const PUT_ON_HOLD: &str = "Put on hold";
pub(crate) const VISIBILITY: &str = "Visibility";
pub(crate) const MARK_AS_DUPLICATE: &str = "Mark as duplicate";
pub(crate) const LEGAL_HOLD: &str = "Legal hold";
pub(crate) const CLOSE_WITH_OVERRIDE: &str = "Close with override";
pub(crate) const UPDATED: &str = "Updated";
pub(crate) const OPEN_FOR: &str = "Open for";
pub(crate) const COLUMNS_CHANGED: &str = "Columns saved for this device.";
pub(crate) const NONE_IN_THE_TRASH: &str = "Nothing was restored: none of them is in the trash.";
pub(crate) const FORMER_MEMBER: &str = "Former member";
pub(crate) const LINK_ADDED: &str = "Link added.";
pub(crate) const LINK_REMOVED: &str = "Link removed.";
pub(crate) const ALL: &str = "All";
pub(crate) const NOTE_DELETED: &str = "Note deleted.";
pub(crate) const NOTE_EDITED: &str = "Note edited. The earlier text is kept in the audit log.";
pub(crate) const EDIT_NOTE: &str = "Edit note";
pub(crate) const NOTE_ADDED: &str = "Added to the timeline.";
pub(crate) const TASK_CREATED: &str = "Task created.";
pub(crate) const SUMMARY_HINT: &str = "What happened, in a few sentences.";
pub(crate) const ROOT_CAUSE_HINT: &str = "Why it could happen. If it was not found, say why.";
pub(crate) const CONTRIBUTING_FACTORS_HINT: &str = "What made it more likely or worse.";
pub(crate) const IMPACT_HINT: &str = "Who and what was affected.";
pub(crate) const WHAT_WENT_WELL_HINT: &str = "What to repeat next time.";
pub(crate) const LESSONS_LEARNED_HINT: &str = "What others should know.";
pub(crate) const YES: &str = "Yes";
pub(crate) const NO_CONTAINED: &str = "No, contained";
pub(crate) const IT_IS_OVER: &str = "It is over";
pub(crate) const SERVICES: &str = "Services";
pub(crate) const DATA: &str = "Data";
pub(crate) const PEOPLES_SAFETY: &str = "People’s safety";
pub(crate) const MONEY: &str = "Money";
pub(crate) const LEGAL_AND_CONTRACTUAL: &str = "Legal and contractual";
pub(crate) const REPUTATION: &str = "Reputation";
pub(crate) const ONE_FIELD_REQUIRED: &str = "1 field required";
pub(crate) const RESET_TO_NEW: &str = "Reset to New";
pub(crate) const START_INVESTIGATING: &str = "Start investigating";
pub(crate) const REOPEN: &str = "Reopen";
pub(crate) const REOPEN_AS_CONTAINED: &str = "Reopen as Contained";
pub(crate) const RESUME_INVESTIGATING: &str = "Resume investigating";
pub(crate) const MARK_AS_CONTAINED: &str = "Mark as contained";
pub(crate) const RESOLVE: &str = "Resolve";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const DISMISS: &str = "Dismiss";
pub(crate) const DISMISSED_AT: &str = "Dismissed at";
pub(crate) const TASK_ADDED: &str = "Task added.";
pub(crate) const TASK_DELETED: &str = "Task deleted.";
pub(crate) const TASK_RESTORED: &str = "Task restored.";
pub(crate) const EDIT_TASK: &str = "Edit task";
pub(crate) const TASK_UPDATED: &str = "Task updated.";

pub(crate) fn declared(number: impl Display) -> String {
    format!("{number} declared.")
}

pub(crate) fn put_on_hold(number: impl Display) -> String {
    format!("{number} put on hold.")
}

pub(crate) fn hold_changed(number: impl Display) -> String {
    format!("Hold on {number} changed.")
}

pub(crate) fn resumed(number: impl Display) -> String {
    format!("{number} resumed.")
}

/// Whether only its readers see it from now on.
pub(crate) fn visibility_changed(number: impl Display, is_restricted: bool) -> String {
    match is_restricted {
        true => format!("{number} restricted to its readers."),
        false => format!("{number} is visible to everyone who can read incidents."),
    }
}

pub(crate) fn readers_changed(number: impl Display) -> String {
    format!("Readers of {number} changed.")
}

pub(crate) fn legal_hold_changed(number: impl Display, is_held: bool) -> String {
    match is_held {
        true => format!("Legal hold placed on {number}."),
        false => format!("Legal hold on {number} lifted."),
    }
}

pub(crate) fn dismissed_as_duplicate(number: impl Display, original: &str) -> String {
    format!("{number} dismissed as a duplicate of {original}.")
}

pub(crate) fn closed_with_override(number: impl Display) -> String {
    format!("{number} closed with an override.")
}

/// What was done with a task by one click: it was moved, or got a status.
pub(crate) fn task_changed(status: &str, to: &str) -> &'static str {
    match (to, status) {
        ("up", _) => "Task moved up.",
        ("down", _) => "Task moved down.",
        (_, "done") => "Task done.",
        _ => "Task reopened.",
    }
}

/// Who changed who sees it, and is not among them.
pub(crate) fn not_seen_any_more(number: impl Display) -> String {
    format!("{number} updated. You no longer have access to it, because you are not one of its readers.")
}

/// When the work on it began again: `Reopened today 06:08`.
pub(crate) fn reopened(at: &str) -> String {
    format!("Reopened {}", at.replace("Today", "today"))
}

pub(crate) fn at_a_past_date(number: impl Display) -> String {
    format!("{number} at a past date")
}

pub(crate) fn review_of(number: impl Display) -> String {
    format!("Review of {number}")
}

/// What was done with a review that was sent with this state; without one its text was saved.
pub(crate) fn review_saved(state: &str) -> &'static str {
    match state {
        "in_review" => "Review submitted.",
        "published" => "Review published.",
        _ => "Review saved.",
    }
}

pub(crate) fn assigned(number: impl Display, name: &str) -> String {
    format!("{number} assigned to {name}.")
}

pub(crate) fn severity_of(number: impl Display) -> String {
    format!("Severity of {number}")
}

/// Two dates are in an unusual order: `Contained is earlier than responded: check the dates.`
pub(crate) fn unusual_order(second: &str, first: &str) -> String {
    format!("{second} is earlier than {}: check the dates.", first.to_lowercase())
}

/// A link that was added to the other record.
pub(crate) fn incoming(kind: &str) -> String {
    format!("{kind} (incoming)")
}

pub(crate) fn fields_required(count: usize) -> String {
    format!("{count} fields required")
}

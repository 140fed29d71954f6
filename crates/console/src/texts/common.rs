//! Texts of pages that belong to no other part, and of several parts.

use std::fmt::Display;

pub(crate) const SIGNED_OUT: &str = "You were signed out. Your input is kept: sign in again to submit it.";
pub(crate) const SIGNED_OUT_WITH_FILES: &str =
    "You were signed out, and nothing was opened. Sign in again and choose the files once more.";
pub(crate) const PAGE_NOT_FOUND: &str = "Page not found";
pub(crate) const NOT_FOUND_OR_NO_ACCESS: &str = "It does not exist, or you do not have access to it.";
pub(crate) const NO_PERMISSION: &str = "You do not have permission";
pub(crate) const CHANGED_BY_OTHERS: &str = "Someone else has changed this. Your changes are not saved yet: check the current values, then save again.";
pub(crate) const CHANGED_SINCE_OPENED: &str =
    "This has changed since you opened the page, so nothing was saved.";
pub(crate) const NOT_SAVED_YET: &str =
    "Your changes are not saved yet: check the current values, then save again.";
pub(crate) const NOTHING_CHANGED: &str = "Nothing to change: everything already has these values.";
pub(crate) const DELETED_IT: &str = "deleted it";
pub(crate) const RESTORED_IT: &str = "restored it";
pub(crate) const EVALUATED_IT: &str = "evaluated it";
pub(crate) const REVIEWED_IT: &str = "reviewed it";
pub(crate) const ADDED_A_TAG: &str = "added a tag";
pub(crate) const REMOVED_A_TAG: &str = "removed a tag";
pub(crate) const CLOSED_IT: &str = "closed it";
pub(crate) const REOPENED_IT: &str = "reopened it";
pub(crate) const CHANGED_IT: &str = "changed it";
pub(crate) const ME: &str = "Me";
pub(crate) const OWNER: &str = "Owner";
pub(crate) const CATEGORY: &str = "Category";
pub(crate) const TAG: &str = "Tag";
pub(crate) const DELETED_TAG: &str = "Deleted tag";
pub(crate) const HEAT_MAP: &str = "Heat map";
pub(crate) const RISK_PERFORMANCE: &str = "Risk performance";
pub(crate) const RISK_CHANGES: &str = "Risk changes";
pub(crate) const RISK_REPORT: &str = "Risk report";
pub(crate) const REPORT_KEPT: &str = "Report kept. It waits to be submitted for approval.";
pub(crate) const SCALE: &str = "Scale";
pub(crate) const ORGANIZATION: &str = "Organization";
pub(crate) const PEOPLE: &str = "People";
pub(crate) const CLIENTS: &str = "Clients";
pub(crate) const SERVICE: &str = "Service";
pub(crate) const PASSWORD_CHANGED: &str = "Password changed. Your other devices are signed out.";
pub(crate) const WRONG_CURRENT_PASSWORD: &str = "The current password is wrong.";
pub(crate) const DISPLAY_CHANGED: &str = "Display settings saved for this device.";
pub(crate) const SIGNED_OUT_ALREADY: &str = "Nothing changed: these devices are already signed out.";
pub(crate) const SIGNED_OUT_THERE: &str = "Device signed out.";
pub(crate) const YOUR_ACCOUNT: &str = "Your account";
pub(crate) const THEME: &str = "Theme";
pub(crate) const SYSTEM: &str = "System";
pub(crate) const LIGHT: &str = "Light";
pub(crate) const DARK: &str = "Dark";
pub(crate) const DENSITY: &str = "Row density";
pub(crate) const COMPACT: &str = "Compact";
pub(crate) const NORMAL: &str = "Normal";
pub(crate) const COMFORTABLE: &str = "Comfortable";
pub(crate) const SINGLE_KEY_SHORTCUTS: &str = "Single-key shortcuts";
pub(crate) const CSV_SEPARATOR: &str = "Separator in CSV files";
pub(crate) const BY_LANGUAGE: &str = "By browser language";
pub(crate) const COMMA: &str = "Comma";
pub(crate) const SEMICOLON: &str = "Semicolon";
pub(crate) const ON: &str = "On";
pub(crate) const OFF: &str = "Off";
pub(crate) const WRONG_SETUP_CODE: &str =
    "The code is wrong. Use the one that the service printed at startup.";
pub(crate) const SEARCH: &str = "Search";
pub(crate) const ALL_KINDS: &str = "All";
pub(crate) const GO_TO: &str = "Go to";
pub(crate) const INCIDENTS: &str = "Incidents";
pub(crate) const RISKS: &str = "Risks";
pub(crate) const HOME: &str = "Home";
pub(crate) const DECLARE_INCIDENT: &str = "Declare incident";
pub(crate) const INCIDENT_TRASH: &str = "Incident trash";
pub(crate) const ADD_RISK: &str = "Add risk";
pub(crate) const PERFORMANCE: &str = "Performance";
pub(crate) const RISK_TRASH: &str = "Risk trash";
pub(crate) const TAGS: &str = "Tags";
pub(crate) const GROUPS: &str = "Groups";
pub(crate) const AUDIT_LOG: &str = "Audit log";
pub(crate) const INVITE_PEOPLE: &str = "Invite people";
pub(crate) const ADD_CLIENT: &str = "Add client";
pub(crate) const KEYBOARD_SHORTCUTS: &str = "Keyboard shortcuts";
pub(crate) const RECENT: &str = "Recent";
pub(crate) const PAGES_AND_ACTIONS: &str = "Pages and actions";
pub(crate) const LESS_THAN_A_DAY: &str = "Less than a day";
pub(crate) const UP_TO_A_WEEK: &str = "Up to a week";
pub(crate) const UP_TO_30_DAYS: &str = "Up to 30 days";
pub(crate) const MORE_THAN_30_DAYS: &str = "More than 30 days";
pub(crate) const CLOSED: &str = "Closed";
pub(crate) const OPEN: &str = "Open";
pub(crate) const ASSIGNED_TO_ME: &str = "Assigned to me";
pub(crate) const TRASH: &str = "Trash";
pub(crate) const INVITATION_NOT_VALID: &str = "This invitation is no longer valid: it was used, withdrawn or has expired after 7 days. Ask the person who invited you for a new one.";
pub(crate) const RESET_LINK_NOT_VALID: &str = "This link is no longer valid: it was used, replaced by a newer one or has expired after 30 minutes. Ask an admin of your organization for a new one.";
pub(crate) const RESET_BY_THE_OPERATOR: &str = "Your organization can no longer reset this password, because you also use it for another organization. Nothing was changed. Ask the operator of this service to set it.";
pub(crate) const HAS_A_PASSWORD: &str = "You already have an account here, and its password is a different one. If you forgot it, ask the operator of this service.";
pub(crate) const VERIFY: &str = "Verify the audit log";
pub(crate) const GO_TO_ANYTHING: &str = "Go to anything";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const NEXT_ROW: &str = "Next row of a list";
pub(crate) const PREVIOUS_ROW: &str = "Previous row";
pub(crate) const OPEN_ROW: &str = "Open the row";
pub(crate) const SELECT_ROW: &str = "Select row";
pub(crate) const MOVE_TASK: &str = "Move the task up or down";
pub(crate) const CLOSE_OR_CLEAR: &str = "Close a menu, or clear the selection of a list";
pub(crate) const EDIT_OR_EVALUATE: &str =
    "Edit the incident, or evaluate the risk; in a list, change the severity or the rating of the row";
pub(crate) const ASSIGN_TO_ME: &str = "Assign the record, or the row of a list";
pub(crate) const NEXT_STEP: &str = "Next step of the incident, or of the row of a list";
pub(crate) const UNDO_LAST: &str = "Undo the last action";
pub(crate) const SUBMIT_FORM: &str = "Submit the form";
pub(crate) const SEARCH_LIST: &str = "Search the list";
pub(crate) const SHOW_SHORTCUTS: &str = "Show keyboard shortcuts";
pub(crate) const WRONG_ADDRESS_OR_PASSWORD: &str =
    "The e-mail address or the password is wrong, or you may not sign in with this address.";
pub(crate) const TAG_ADDED: &str = "Tag added.";
pub(crate) const SOME: &str = "Some";
pub(crate) const TAG_UPDATED: &str = "Tag updated.";
pub(crate) const TAG_IS_GONE: &str = "Nothing changed: the tag was merged or deleted already.";
pub(crate) const UNDONE: &str = "Undone.";
pub(crate) const TOO_LATE_TO_UNDO: &str =
    "Nothing was undone: only the person who made a change can undo it, for 15 minutes.";
pub(crate) const UNDONE_ALREADY: &str = "It is already undone.";
pub(crate) const CHANGED_SINCE: &str = "It has been changed since.";
pub(crate) const CANNOT_BE_UNDONE: &str = "This change cannot be undone.";
pub(crate) const UNKNOWN_BROWSER: &str = "Unknown browser";

/// The roles that a page requires.
pub(crate) fn needs_a_role(roles: &[String]) -> String {
    let any = match roles {
        [] => "that no member has".to_owned(),
        [one] => one.clone(),
        [many @ .., last] => format!("{} or {last}", many.join(", ")),
    };
    format!("This requires the role {any}. Ask an admin of your organization.")
}

/// A greeting at this hour.
pub(crate) fn greeting(hour: i8, name: &str) -> String {
    let part = match hour {
        4..12 => "morning",
        12..18 => "afternoon",
        _ => "evening",
    };
    format!("Good {part}, {name}")
}

pub(crate) fn edit(number: impl Display) -> String {
    format!("Edit {number}")
}

/// How many of the changed records were undone, and why one was not.
pub(crate) fn undone_of(undone: usize, all: usize, id: &str, reason: &str) -> String {
    match undone {
        0 => format!("Nothing was undone. {id}: {reason}"),
        _ => format!("{undone} of {all} undone. {id}: {reason}"),
    }
}

/// What somebody did, and when.
pub(crate) fn told(what: &str, at: &str) -> String {
    format!("{what} ({at}).")
}

pub(crate) fn record_updated(number: impl Display) -> String {
    format!("{number} updated.")
}

/// A record that has another status: `INC-0001 moved to Investigating.`
pub(crate) fn moved(number: impl Display, status: &str) -> String {
    format!("{number} moved to {status}.")
}

pub(crate) fn field_updated(label: &str, number: impl Display) -> String {
    format!("{label} of {number} updated.")
}

pub(crate) fn tags_updated(number: impl Display) -> String {
    format!("Tags of {number} updated.")
}

pub(crate) fn tag_merged(name: &str, into: &str) -> String {
    format!("{name} merged into {into}.")
}

pub(crate) fn tag_deleted(name: &str) -> String {
    format!("Tag {name} deleted.")
}

pub(crate) fn record_deleted(number: impl Display) -> String {
    format!("{number} moved to trash.")
}

pub(crate) fn record_restored(number: impl Display) -> String {
    format!("{number} restored.")
}

/// A browser and its system.
pub(crate) fn browser_on(browser: &str, system: &str) -> String {
    format!("{browser} on {system}")
}

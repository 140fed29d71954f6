//! Texts of pages that belong to no other part, and of several parts.

use std::fmt::Display;

pub(crate) const SIGNED_OUT_MEANWHILE: &str =
    "You were signed out meanwhile. What you typed is kept, and can be sent after you sign in again.";
pub(crate) const THERE_IS_NOTHING_HERE: &str = "There is nothing here";
pub(crate) const NOT_IN_THE_REGISTER: &str = "It is not in the register, or not for you to see.";
pub(crate) const YOU_MAY_NOT_DO_THIS: &str = "You may not do this";
pub(crate) const CHANGED_BY_SOMEBODY_ELSE: &str = "Somebody else changed it meanwhile. Nothing of yours is saved yet: \
    check what the page shows now, then choose again.";
pub(crate) const NOT_AS_IT_WAS: &str =
    "It is not as it was when the page was opened, so nothing was changed.";
pub(crate) const NOTHING_IS_SAVED_YET: &str =
    "Nothing of yours is saved yet: check what the page shows now, then choose again.";
pub(crate) const NOTHING_WAS_CHANGED: &str = "Nothing was changed: everything is as you asked already.";
pub(crate) const DELETED_IT: &str = "deleted it";
pub(crate) const RESTORED_IT: &str = "restored it";
pub(crate) const EVALUATED_IT: &str = "evaluated it";
pub(crate) const ADDED_A_TAG: &str = "added a tag";
pub(crate) const REMOVED_A_TAG: &str = "removed a tag";
pub(crate) const CLOSED_IT: &str = "closed it";
pub(crate) const REOPENED_IT: &str = "reopened it";
pub(crate) const CHANGED_IT: &str = "changed it";
pub(crate) const ME: &str = "Me";
pub(crate) const OWNER: &str = "Owner";
pub(crate) const CATEGORY: &str = "Category";
pub(crate) const TAG: &str = "Tag";
pub(crate) const TAG_IS_GONE: &str = "A tag that is gone";
pub(crate) const HEAT_MAP: &str = "Heat map";
pub(crate) const RISK_PERFORMANCE: &str = "Risk performance";
pub(crate) const ORGANIZATION: &str = "Organization";
pub(crate) const PEOPLE: &str = "People";
pub(crate) const CLIENTS: &str = "Clients";
pub(crate) const SERVICE: &str = "Service";
pub(crate) const PASSWORD_CHANGED: &str = "The password is changed. Your other devices are signed out.";
pub(crate) const WRONG_PRESENT_PASSWORD: &str = "The password that you have now is another one.";
pub(crate) const DISPLAY_CHANGED: &str = "This device shows the pages so from now on.";
pub(crate) const SIGNED_OUT_ALREADY: &str =
    "Nothing was changed: no other device is signed in there any more.";
pub(crate) const SIGNED_OUT_THERE: &str = "Signed out there.";
pub(crate) const YOUR_ACCOUNT: &str = "Your account";
pub(crate) const COLOURS: &str = "Colours";
pub(crate) const AS_THE_SYSTEM: &str = "As the system";
pub(crate) const LIGHT: &str = "Light";
pub(crate) const DARK: &str = "Dark";
pub(crate) const ROWS_OF_LISTS: &str = "Rows of lists";
pub(crate) const COMPACT: &str = "Compact";
pub(crate) const NORMAL: &str = "Normal";
pub(crate) const ROOMY: &str = "Roomy";
pub(crate) const SINGLE_KEYS: &str = "Single keys";
pub(crate) const WORK: &str = "Work";
pub(crate) const DO_NOTHING: &str = "Do nothing";
pub(crate) const WRONG_FIRST_CODE: &str = "That is not the code that the service printed when it started.";
pub(crate) const CHOICE_PROPOSED: &str =
    "Your choice is in the open proposal. The published text stays until that is approved.";
pub(crate) const DOCUMENTS: &str = "Documents";
pub(crate) const SEARCH: &str = "Search";
pub(crate) const EVERYTHING: &str = "Everything";
pub(crate) const GO_TO: &str = "Go to";
pub(crate) const INCIDENTS: &str = "Incidents";
pub(crate) const RISKS: &str = "Risks";
pub(crate) const HOME: &str = "Home";
pub(crate) const DECLARE_AN_INCIDENT: &str = "Declare an incident";
pub(crate) const TRASH_OF_INCIDENTS: &str = "Trash of incidents";
pub(crate) const ADD_A_RISK: &str = "Add a risk";
pub(crate) const PERFORMANCE: &str = "Performance";
pub(crate) const TRASH_OF_RISKS: &str = "Trash of risks";
pub(crate) const TAGS: &str = "Tags";
pub(crate) const JOURNAL: &str = "Journal";
pub(crate) const INVITE_PEOPLE: &str = "Invite people";
pub(crate) const ADD_A_CLIENT: &str = "Add a client";
pub(crate) const KEYBOARD: &str = "Keyboard";
pub(crate) const PLACES_AND_ACTIONS: &str = "Places and actions";
pub(crate) const LESS_THAN_A_DAY: &str = "Less than a day";
pub(crate) const UP_TO_A_WEEK: &str = "Up to a week";
pub(crate) const UP_TO_30_DAYS: &str = "Up to 30 days";
pub(crate) const LONGER: &str = "Longer";
pub(crate) const CLOSED: &str = "Closed";
pub(crate) const OPEN: &str = "Open";
pub(crate) const MINE: &str = "Mine";
pub(crate) const TRASH: &str = "Trash";
pub(crate) const INVITATION_NOT_VALID: &str = "This invitation is not valid: it was used already, was withdrawn, or \
    ended after 7 days. Ask the person who invited you for another.";
pub(crate) const RESET_LINK_NOT_VALID: &str = "This link is not valid: it was used already, was replaced by a newer one, or \
    expired after 30 minutes. Ask an admin of your organization for another.";
pub(crate) const RESET_BY_THE_OPERATOR: &str = "Your organization can no longer reset this password, because it opens more \
    than this organization. Nothing was changed. Ask the person who runs this service to set it.";
pub(crate) const HAS_A_PASSWORD: &str = "You have a password here already, from another organization, and this is \
    another one. If you forgot it, ask the person who runs this service.";
pub(crate) const PROOF: &str = "Proof";
pub(crate) const GO_TO_ANYTHING: &str = "Go to anything";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const NEXT_ROW: &str = "The next row of a list";
pub(crate) const PREVIOUS_ROW: &str = "The row before it";
pub(crate) const CHOOSE_THE_ROW: &str = "Choose the row";
pub(crate) const EDIT_OR_EVALUATE: &str = "Edit, or evaluate";
pub(crate) const TAKE_THE_INCIDENT: &str = "Take the incident";
pub(crate) const NEXT_STEP: &str = "The next step of the incident";
pub(crate) const TAKE_IT_BACK: &str = "Take back what was just done";
pub(crate) const SEND_THE_FORM: &str = "Send the form that you type in";
pub(crate) const SEARCH_THE_LIST: &str = "Search the list";
pub(crate) const THIS_LIST: &str = "This list";
pub(crate) const WRONG_ADDRESS_OR_PASSWORD: &str =
    "That address and password do not fit together, or the address may not sign in.";
pub(crate) const TAG_ADDED: &str = "The tag is there.";
pub(crate) const UNDONE: &str = "It is as it was before.";
pub(crate) const TOO_LATE_TO_UNDO: &str =
    "Nothing was undone: a change can be undone for 15 minutes, by the person who made it.";
pub(crate) const IS_AS_BEFORE: &str = "It is as it was before already.";
pub(crate) const CHANGED_SINCE: &str = "It was changed again meanwhile.";
pub(crate) const CANNOT_BE_UNDONE: &str = "This change cannot be undone.";
pub(crate) const UNNAMED_BROWSER: &str = "A browser without a name";

/// What a page needs that the person may not open.
pub(crate) fn needs_a_role(roles: &[String]) -> String {
    let any = match roles {
        [] => "that nobody has".to_owned(),
        [one] => one.clone(),
        [many @ .., last] => format!("{} or {last}", many.join(", ")),
    };
    format!("It needs the role {any}. An admin of the organization can give it to you.")
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

pub(crate) fn proposal_for(number: impl Display, title: &str) -> String {
    format!("Proposal {number} for {title}")
}

pub(crate) fn edit(number: impl Display) -> String {
    format!("Edit {number}")
}

/// How many of the changed records were undone, and why one was not.
pub(crate) fn undone_of(undone: usize, all: usize, id: &str, reason: &str) -> String {
    match undone {
        0 => format!("Nothing was undone. {id}: {reason}"),
        _ => format!("{undone} of {all} were undone. {id}: {reason}"),
    }
}

/// What somebody did, and when.
pub(crate) fn told(what: &str, at: &str) -> String {
    format!("{what} ({at}).")
}

pub(crate) fn changed(number: impl Display) -> String {
    format!("{number} is changed.")
}

pub(crate) fn tags_changed(number: impl Display) -> String {
    format!("The tags of {number} are changed.")
}

pub(crate) fn is_in_the_trash(number: impl Display) -> String {
    format!("{number} is in the trash.")
}

pub(crate) fn is_back(number: impl Display) -> String {
    format!("{number} is back.")
}

/// A browser and its system.
pub(crate) fn browser_on(browser: &str, system: &str) -> String {
    format!("{browser} on {system}")
}

//! Texts of bulk changes.

/// What one record of a kind is called, and several.
#[derive(Clone, Copy)]
pub(crate) struct Noun(&'static str, &'static str);

pub(crate) const AN_INCIDENT: Noun = Noun("incident", "incidents");
pub(crate) const A_RISK: Noun = Noun("risk", "risks");
pub(crate) const A_DOCUMENT: Noun = Noun("document", "documents");

pub(crate) const NUMBER: &str = "Number";
pub(crate) const ADDRESS: &str = "Address";

pub(crate) const ASSIGN: &str = "Assign";
pub(crate) const CHANGE_STATUS: &str = "Change status";
pub(crate) const CHANGE_OWNER: &str = "Change owner";
pub(crate) const CHANGE_CATEGORY: &str = "Change category";
pub(crate) const CHANGE_TREATMENT: &str = "Change treatment";
pub(crate) const REMOVE_TAG: &str = "Remove tag";

pub(crate) const ASSIGN_INCIDENTS: &str = "Assign incidents";
pub(crate) const CHANGE_INCIDENT_STATUS: &str = "Change incident status";
pub(crate) const ADD_TAG_TO_INCIDENTS: &str = "Add tag to incidents";
pub(crate) const REMOVE_TAG_FROM_INCIDENTS: &str = "Remove tag from incidents";
pub(crate) const CHANGE_RISK_OWNER: &str = "Change risk owner";
pub(crate) const CHANGE_RISK_STATUS: &str = "Change risk status";
pub(crate) const CHANGE_RISK_CATEGORY: &str = "Change risk category";
pub(crate) const CHANGE_RISK_TREATMENT: &str = "Change risk treatment";
pub(crate) const ADD_TAG_TO_RISKS: &str = "Add tag to risks";
pub(crate) const REMOVE_TAG_FROM_RISKS: &str = "Remove tag from risks";
pub(crate) const ADD_TAG_TO_DOCUMENTS: &str = "Add tag to documents";
pub(crate) const REMOVE_TAG_FROM_DOCUMENTS: &str = "Remove tag from documents";

pub(crate) const CHANGE_REVIEWS: &str = "Change review interval";
pub(crate) const CHANGE_REPEATS: &str = "Change acknowledgement interval";
pub(crate) const ASK_TO_ACKNOWLEDGE: &str = "Ask to acknowledge";
pub(crate) const CHANGE_DOCUMENT_OWNER: &str = "Change document owner";
pub(crate) const CHANGE_DOCUMENT_REVIEWS: &str = "Change document review interval";
pub(crate) const CHANGE_DOCUMENT_REPEATS: &str = "Change document acknowledgement interval";
pub(crate) const ASK_TO_ACKNOWLEDGE_DOCUMENTS: &str = "Ask to acknowledge documents";
pub(crate) const DAYS_BETWEEN_REVIEWS: &str = "Days between reviews";
pub(crate) const DAYS_BETWEEN_ACKNOWLEDGEMENTS: &str = "Days until acknowledged again";
pub(crate) const EMPTY_FOR_NONE: &str = "(empty for none)";
pub(crate) const WHO: &str = "Who";
pub(crate) const DAYS_TO_ACKNOWLEDGE: &str = "Days to acknowledge";

pub(crate) const FOR_RESOLVED_AND_DISMISSED: &str = "(for Resolved and Dismissed)";
pub(crate) const RESOLUTION_SUMMARY: &str = "Resolution summary";
pub(crate) const RESPONDED: &str = "Responded at";
pub(crate) const IF_WITHOUT_RESPONSE: &str = "(for incidents without a response date)";
pub(crate) const OPTIONAL: &str = "(optional)";
pub(crate) const REASON: &str = "Reason";
pub(crate) const TO_REOPEN_OR_DISMISS: &str =
    "(required to reopen, and to dismiss high and critical incidents)";
pub(crate) const TO_CLOSE_OR_REOPEN: &str = "(required to close and to reopen)";
pub(crate) const UNDO_LEAVES_CLOSED: &str =
    "Undoing does not reopen risks whose acceptance or open request ends with this.";
pub(crate) const EMPTY_CLEARS: &str = "(empty clears the category)";

pub(crate) const NOTHING_SELECTED: &str = "Nothing was selected.";
pub(crate) const WOULD_CHANGE: &str = "would change";
pub(crate) const UNCHANGED: &str = "unchanged";
pub(crate) const IS_REFUSED: &str = "refused";
pub(crate) const NOT_FOUND: &str = "not found";

pub(crate) fn first_by_name(most: i64) -> String {
    format!("The first {most} by name are shown.")
}

/// `2 incidents`
pub(crate) fn counted(count: usize, Noun(one, several): Noun) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}

pub(crate) fn all_of_the_list(Noun(_, several): Noun) -> String {
    format!("All {several} in the list")
}

pub(crate) fn moved_to_trash(count: usize, noun: Noun) -> String {
    format!("{} moved to trash.", counted(count, noun))
}

pub(crate) fn restored(count: usize, noun: Noun) -> String {
    format!("{} restored.", counted(count, noun))
}

pub(crate) fn updated(count: usize, noun: Noun) -> String {
    format!("{} updated.", counted(count, noun))
}

pub(crate) fn asked_about(count: usize) -> String {
    format!("People are asked to acknowledge {}.", counted(count, A_DOCUMENT))
}

/// What a table of results is about.
pub(crate) fn each(Noun(one, _): Noun) -> String {
    format!("Result for each {one}")
}

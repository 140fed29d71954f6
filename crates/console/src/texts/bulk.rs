//! Texts of the pages on which many records are changed at once.

/// What one record of a kind is called, and several.
pub(crate) struct Noun(&'static str, &'static str);

pub(crate) const AN_INCIDENT: Noun = Noun("incident", "incidents");
pub(crate) const A_RISK: Noun = Noun("risk", "risks");

pub(crate) const ASSIGN: &str = "Assign";
pub(crate) const CHANGE_STATUS: &str = "Change status";
pub(crate) const CHANGE_OWNER: &str = "Change owner";
pub(crate) const CHANGE_CATEGORY: &str = "Change category";
pub(crate) const TAKE_TAG_OFF: &str = "Take tag off";

pub(crate) const ASSIGN_INCIDENTS: &str = "Assign incidents";
pub(crate) const CHANGE_THE_STATUS_OF_INCIDENTS: &str = "Change the status of incidents";
pub(crate) const PUT_A_TAG_ON_INCIDENTS: &str = "Put a tag on incidents";
pub(crate) const TAKE_A_TAG_OFF_INCIDENTS: &str = "Take a tag off incidents";
pub(crate) const CHANGE_THE_OWNER_OF_RISKS: &str = "Change the owner of risks";
pub(crate) const CHANGE_THE_STATUS_OF_RISKS: &str = "Change the status of risks";
pub(crate) const CHANGE_THE_CATEGORY_OF_RISKS: &str = "Change the category of risks";
pub(crate) const PUT_A_TAG_ON_RISKS: &str = "Put a tag on risks";
pub(crate) const TAKE_A_TAG_OFF_RISKS: &str = "Take a tag off risks";

pub(crate) const ASSIGNED_TO: &str = "Assigned to";
pub(crate) const FOR_RESOLVED_AND_DISMISSED: &str = "(for resolved and dismissed)";
pub(crate) const WHAT_WAS_FOUND_AND_DONE: &str = "What was found and done";
pub(crate) const WHEN_THE_RESPONSE_BEGAN: &str = "When the response began";
pub(crate) const FOR_THOSE_THAT_NOBODY_HAS_TAKEN: &str = "(for those that nobody has taken)";
pub(crate) const OPTIONAL: &str = "(optional)";
pub(crate) const WHY: &str = "Why";
pub(crate) const TO_REOPEN_OR_DISMISS: &str = "(to reopen, or to dismiss high and critical ones)";
pub(crate) const TO_CLOSE_THEM: &str = "(to close them)";
pub(crate) const NOTHING_TAKES_IT_AWAY: &str = "(nothing takes it away)";

pub(crate) const NOTHING_WAS_CHOSEN: &str = "Nothing was chosen.";
pub(crate) const WOULD_CHANGE: &str = "would change";
pub(crate) const IS_SO_ALREADY: &str = "is so already";
pub(crate) const IS_REFUSED: &str = "refused";
pub(crate) const NOT_FOUND: &str = "not found";

/// `2 incidents`
pub(crate) fn so_many(count: usize, Noun(one, several): Noun) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}

/// `2 incidents are`
fn are(count: usize, noun: Noun) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} {verb}", so_many(count, noun))
}

pub(crate) fn all_of_the_list(Noun(_, several): Noun) -> String {
    format!("All {several} of the list")
}

pub(crate) fn are_in_the_trash(count: usize, noun: Noun) -> String {
    format!("{} in the trash.", are(count, noun))
}

pub(crate) fn are_back(count: usize, noun: Noun) -> String {
    format!("{} back.", are(count, noun))
}

pub(crate) fn are_changed(count: usize, noun: Noun) -> String {
    format!("{} changed.", are(count, noun))
}

/// What a table of results is about.
pub(crate) fn each(Noun(one, _): Noun) -> String {
    format!("What would become of each {one}")
}

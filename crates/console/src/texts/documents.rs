//! Texts of the pages about documents.

use std::fmt::Display;

use domain::document::{NextAction, ProposalField};

pub(crate) const CHANGE_PROPOSED: &str =
    "Added to the open proposal. The published text changes when the proposal is approved.";
pub(crate) const DOCUMENTS: &str = "Documents";
pub(crate) const CLASSIFICATION: &str = "Classification";
pub(crate) const REVIEW: &str = "Review";
pub(crate) const NEXT_REVIEW: &str = "Next review";
pub(crate) const REVIEW_OVERDUE: &str = "Review overdue";
pub(crate) const ARCHIVED: &str = "Archived";
pub(crate) const TAGS_UPDATED: &str = "Tags updated.";
pub(crate) const FILES_IMPORTED: &str = "Imported files";
pub(crate) const NO_FILE_CHOSEN: &str = "Choose a file first.";
pub(crate) const NEW_DOCUMENT: &str = "New document";
pub(crate) const IN_FORCE_FROM: &str = "In force from";
pub(crate) const THE_FILE: &str = "The file";
pub(crate) const NEWER_TEXT: &str = "Newer text of the library";
pub(crate) const OFFER_TAKEN: &str = "The newer text is in the proposal.";
pub(crate) const OFFER_DECLINED: &str = "Not taken. You will see the next text of the library.";
pub(crate) const THE_TEXT: &str = "Text";
pub(crate) const ADDED: &str = "Added";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const REMOVED: &str = "Removed";
pub(crate) const PROPOSAL_OPENED: &str = "Proposal opened.";
pub(crate) const VALUE_ADOPTED: &str = "Conflict resolved.";
pub(crate) const CHANGE_TAKEN_BACK: &str = "Change taken back.";
pub(crate) const TEXT_CHANGED: &str = "The proposal has changed since you opened this page, so you approved nothing. Its present text is below.";
pub(crate) const TEXT_STAYS: &str = "The text stays the same.";
pub(crate) const TEXT_LEFT_OUT: &str = "A part of the text is left out.";

/// What was done with a proposal.
pub(crate) fn proposal_step(step: &str) -> &'static str {
    match step {
        "approve" => "Approved.",
        "reject" => "Proposal rejected.",
        "return" => "Proposal returned. It can be edited again.",
        "withdraw" => "Proposal withdrawn.",
        _ => "Submitted for approval.",
    }
}

pub(crate) const APPROVAL_STEPS: &str = "Steps of approval";
pub(crate) const PROPERTIES_UPDATED: &str = "Properties updated.";
pub(crate) const STEPS_CHANGED: &str = "Steps changed in this proposal.";
pub(crate) const EACH_VERSION: &str = "Each version";
pub(crate) const MATERIAL_VERSIONS: &str = "Material versions only";
pub(crate) const OTHER_WAYS_TO_APPROVE: &str = "Other ways to approve";
pub(crate) const ANYONE_WHO_CAN_APPROVE: &str = "Anyone who can approve";
pub(crate) const JOB_TITLE_CHANGED: &str = "Job title updated.";
pub(crate) const DEPUTY_CHANGED: &str = "Deputy updated.";

/// What was done so that an approval goes on.
pub(crate) fn way_out(step: &str) -> &'static str {
    match step {
        "record" => "Decision recorded.",
        "replace" => "Approver replaced.",
        _ => "Authors can approve this proposal.",
    }
}

/// What a proposal waits for.
pub(crate) fn waits_for(action: NextAction) -> &'static str {
    match action {
        NextAction::Edit => "Needs changes",
        NextAction::Resolve => "Conflicts to resolve",
        NextAction::Submit => "Ready to submit",
        NextAction::Approve => "Waiting for approval",
    }
}

/// Several names: `Ada, Ben, Cleo and 4 others`.
pub(crate) fn names(all: &[&str], shown: usize) -> String {
    match (all, all.len().saturating_sub(shown)) {
        ([.., last], 0) if all.len() > 1 => {
            format!("{} and {last}", all.get(..all.len() - 1).unwrap_or_default().join(", "))
        }
        (_, 0) => all.join(", "),
        (_, others) => {
            let shown = all.get(..shown).unwrap_or_default().join(", ");
            format!("{shown} and {others} {}", if others == 1 { "other" } else { "others" })
        }
    }
}

pub(crate) fn drafts_created(count: usize) -> String {
    match count {
        1 => "Draft created.".to_owned(),
        _ => format!("{count} drafts created."),
    }
}

pub(crate) fn file_not_read(why: impl Display) -> String {
    format!("Nothing was opened: {why}.")
}

/// Why one of several files is none of the drafts.
pub(crate) fn cannot_be_read(why: impl Display) -> String {
    format!("Cannot be read: {why}.")
}

/// What is wrong with a policy file, where it has `place` in it.
pub(crate) fn fault_within(place: &str, sentence: &str) -> String {
    format!("At {place}: {sentence}")
}

pub(crate) fn address_taken(slug: &str) -> String {
    format!("Another document has the address {slug}. Open this file alone to choose another one.")
}

pub(crate) fn too_many_files(most: usize) -> String {
    format!("Nothing was opened: choose at most {most} files at once.")
}

/// What became of several files.
pub(crate) fn files_imported(made: usize, refused: usize) -> String {
    let refused = match refused {
        0 => String::new(),
        1 => " 1 file was not imported.".to_owned(),
        _ => format!(" {refused} files were not imported."),
    };
    let made = if made == 0 { "No draft created.".to_owned() } else { drafts_created(made) };
    format!("{made}{refused}")
}

pub(crate) fn proposal_for(number: i64, title: &str) -> String {
    format!("Proposal {number} for {title}")
}

pub(crate) fn edit_of(title: &str) -> String {
    format!("Edit {title}")
}

/// What a proposal changes beside the values of sections.
pub(crate) fn proposal_field(field: ProposalField) -> &'static str {
    match field {
        ProposalField::Title => "Title",
        ProposalField::Reference => "Reference",
        ProposalField::Classification => "Classification",
        ProposalField::Audience => "Audience",
        ProposalField::Language => "Language",
        ProposalField::Template => "Text",
        ProposalField::ApprovalSteps => "Steps of approval",
        ProposalField::Items => "Sections",
    }
}

pub(crate) fn versions_of(title: &str) -> String {
    format!("Versions of {title}")
}

pub(crate) fn version_of(number: i64, title: &str) -> String {
    format!("{title}, version {number}")
}

pub(crate) const MARKED_AS_READ: &str = "Marked as read.";
pub(crate) const READ_ANOTHER_TEXT: &str =
    "The proposal has changed since you opened this page. Its present text is below.";
pub(crate) const COMMENTED: &str = "Comment added.";
pub(crate) const COMMENT_RESOLVED: &str = "Comment resolved.";
pub(crate) const SUGGESTION_ADOPTED: &str = "Suggestion adopted: it is now your change.";
pub(crate) const WAITING_FOR_ME: &str = "Waiting for me";
pub(crate) const DOCUMENT_ARCHIVED: &str = "Document archived.";
pub(crate) const DOCUMENT_RESTORED: &str = "Document restored.";
pub(crate) const DRAFT_DELETED: &str = "Draft deleted.";
pub(crate) const DOCUMENT_REVIEWED: &str = "Review recorded.";

pub(crate) fn type_the_address(slug: &str) -> String {
    format!("Type the address of the document, {slug}.")
}

/// What ended with a document that was archived.
pub(crate) fn document_archived(proposal: Option<i64>, requests: i64) -> String {
    let proposal = proposal.map(|number| format!(" Proposal {number} was withdrawn."));
    let requests = match requests {
        0 => String::new(),
        1 => " 1 request to acknowledge it ended.".to_owned(),
        _ => format!(" {requests} requests to acknowledge it ended."),
    };
    format!("{DOCUMENT_ARCHIVED}{}{requests}", proposal.unwrap_or_default())
}

pub(crate) const ACKNOWLEDGED: &str = "Acknowledged.";
pub(crate) const RECORDED_ON_PAPER: &str = "Acknowledgement on paper recorded.";
pub(crate) const MEMBER_EXPECTED: &str = "must be the id of a member";
pub(crate) const PEOPLE_ASKED: &str = "People are asked to acknowledge it.";
pub(crate) const REQUEST_ENDED: &str = "Request ended.";
pub(crate) const REQUEST_HAS_ENDED: &str = "Nothing changed: the request has already ended.";
pub(crate) const DELETED_GROUP: &str = "Deleted group";
pub(crate) const EVERYONE: &str = "Everyone";

pub(crate) fn acknowledgements_of(title: &str) -> String {
    format!("Acknowledgements of {title}")
}

/// A step: `Board, 2 of: Group Board (material versions only)`.
pub(crate) fn approval_step(name: &str, needed: i64, who: &str, only_material: bool) -> String {
    let when = if only_material { " (material versions only)" } else { "" };
    let count = if needed > 1 { format!("{needed} of: ") } else { String::new() };
    format!("{name}, {count}{who}{when}")
}

/// A sentence about a field of a step: `Step 2: needed must be 1 to 100.`
pub(crate) fn in_step(number: usize, sentence: &str) -> String {
    let mut rest = sentence.chars();
    let first = rest.next().map(|it| it.to_lowercase().to_string()).unwrap_or_default();
    format!("Step {number}: {first}{}", rest.as_str())
}

pub(crate) fn replaced(person: &str, replacement: &str, reason: &str) -> String {
    format!("{replacement} in the place of {person}: {reason}")
}

pub(crate) fn properties_of(title: &str) -> String {
    format!("Properties of {title}")
}

pub(crate) fn with_role(role: impl Display) -> String {
    format!("Role {role}")
}

pub(crate) fn in_group(name: impl Display) -> String {
    format!("Group {name}")
}

pub(crate) fn open_incidents(count: i64) -> String {
    if count == 1 { "1 open incident".to_owned() } else { format!("{count} open incidents") }
}

pub(crate) fn people(count: usize) -> String {
    if count == 1 { "1 person".to_owned() } else { format!("{count} people") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_names_are_listed_and_more_are_counted() {
        assert_eq!(names(&["Ada"], 3), "Ada");
        assert_eq!(names(&["Ada", "Ben"], 3), "Ada and Ben");
        assert_eq!(names(&["Ada", "Ben", "Cleo", "Dan"], 3), "Ada, Ben, Cleo and 1 other");
        assert_eq!(names(&[], 3), "");
    }
}

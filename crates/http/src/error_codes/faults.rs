//! The codes of faults in a body.

use domain::FaultCode;

use super::Kind;

/// Every code with its explanation.
pub(super) fn kinds() -> Vec<Kind> {
    let kind = |code: &FaultCode| Kind {
        code: code.as_str(),
        statuses: &[],
        title: "",
        detail: "",
        meaning: code.meaning(),
        remedy: remedy(*code),
    };
    FaultCode::ALL.iter().map(kind).collect()
}

/// What to do about a fault.
fn remedy(code: FaultCode) -> &'static str {
    match code {
        FaultCode::Required => "Send a value.",
        FaultCode::Type => "Send the type that `detail` names.",
        FaultCode::UnknownField => "Leave it out, or use the name that `detail` suggests.",
        FaultCode::ReadOnly => "Leave it out, or call the operation that `detail` names.",
        FaultCode::DuplicateKey => "Send it once.",
        FaultCode::Blank => "Send a text with at least one visible character.",
        FaultCode::TooLong => "Shorten it to the limit that `detail` names.",
        FaultCode::TooShort => "Make it at least as long as `detail` says.",
        FaultCode::TooMany => "Send fewer at a time.",
        FaultCode::TooManyTags => "Take another tag off first.",
        FaultCode::TooManyNotes => "Delete another note first.",
        FaultCode::NotesTooLarge => "Shorten it, or shorten or delete other notes first.",
        FaultCode::ProposalTooLarge => "Shorten texts in it.",
        FaultCode::TooFew => "Send at least as many as `detail` names.",
        FaultCode::Range => "Send one within the limits that `detail` names.",
        FaultCode::Enum => "Send one of the values that `detail` lists.",
        FaultCode::Format => "Send it as `detail` describes it.",
        FaultCode::Guessable => {
            "Choose another one; a few words that have nothing to do with each other are easy to keep in mind."
        }
        FaultCode::Conflict => "Send one of the two that `detail` names.",
        FaultCode::NotOfKind => "Leave it out, or write another note of the kind that has it.",
        FaultCode::NotAPerson => "Send the id of a user.",
        FaultCode::Nul => "Leave it out.",
        FaultCode::ControlCharacter => {
            "Leave it out. Direction marks (U+200E, U+200F) and zero-width joiners are allowed."
        }
        FaultCode::Duplicate => "Send it once.",
        FaultCode::UnknownUser => "Take an id from `GET /v1/users`, or add the person first.",
        FaultCode::UnknownItem => "Read the document again: `node_id` is the id of one of its items.",
        FaultCode::UnknownOption => "Send the id of one of its options, not its label.",
        FaultCode::KindMismatch => "Send the item's own kind.",
        FaultCode::UnknownEvaluation => "Take a number from the risk's evaluations.",
        FaultCode::UnknownTask => "Take a number from `GET /v1/incidents/{id}/tasks`.",
        FaultCode::UnknownIncident => "Take the id of an incident that you can read.",
        FaultCode::UnknownTag => "Take a name from `GET /v1/tags`, or call with the scope `tags:write`.",
        FaultCode::UnknownRisk => "Take the id of a risk from `GET /v1/risks`.",
        FaultCode::UnknownDocument => "Take the slug of a document from `GET /v1/documents`.",
        FaultCode::LinkToItself => "Name another incident.",
        FaultCode::DuplicateCycle => "Name the incident that the others are duplicates of.",
        FaultCode::NothingToRedact => "Compare the text with what is stored, letter by letter.",
        FaultCode::NotInStatus => "Leave it out, or send it with the status that it belongs to.",
        FaultCode::DateInFuture => "Check the clock and the offset; leave the date out for now.",
        FaultCode::DateOrder => "Correct the one that is wrong; there is one such fault for each pair.",
    }
}

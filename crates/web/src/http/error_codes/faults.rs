//! The codes of faults in a body.

use domain::FaultCode;

use super::Kind;

/// Every code with its explanation.
pub(super) fn kinds() -> Vec<Kind> {
    let kind = |(code, meaning, remedy): (FaultCode, _, _)| Kind {
        code: code.as_str(),
        statuses: &[],
        title: "",
        detail: "",
        meaning,
        remedy,
    };
    FAULTS.map(kind).to_vec()
}

/// What happened and what to do: one row for each of [`FaultCode::ALL`], in the same order.
const FAULTS: [(FaultCode, &str, &str); FaultCode::ALL.len()] = [
    (FaultCode::Required, "A member is missing, or null where a value must be.", "Send a value."),
    (
        FaultCode::Type,
        "The value has another JSON type than the one expected; at `#` the body as a whole has.",
        "Send the type that `detail` names.",
    ),
    (
        FaultCode::UnknownField,
        "The member is not known here. None is ignored, so that a typo cannot pass unnoticed.",
        "Leave it out, or use the name that `detail` suggests.",
    ),
    (FaultCode::ReadOnly, "The member is set by the service.", "Leave it out."),
    (FaultCode::DuplicateKey, "The member stands twice in one object.", "Send it once."),
    (
        FaultCode::Blank,
        "The text is empty or only white space.",
        "Send a text with at least one visible character.",
    ),
    (FaultCode::TooLong, "The text is too long.", "Shorten it to the limit that `detail` names."),
    (FaultCode::TooShort, "The text is too short.", "Make it at least as long as `detail` says."),
    (FaultCode::TooMany, "The list has too many elements.", "Send fewer at a time."),
    (FaultCode::TooManyTags, "The record has too many tags.", "Take another tag off first."),
    (FaultCode::ProposalTooLarge, "The proposal holds too much text.", "Shorten texts in it."),
    (FaultCode::TooFew, "The list has too few elements.", "Send at least as many as `detail` names."),
    (
        FaultCode::Range,
        "The number is outside its limits.",
        "Send one within the limits that `detail` names.",
    ),
    (
        FaultCode::Enum,
        "The value is not one of those allowed.",
        "Send one of the values that `detail` lists.",
    ),
    (
        FaultCode::Format,
        "The text is not of the expected form, such as a UUID or a date-time with an offset.",
        "Send it as `detail` describes it.",
    ),
    (
        FaultCode::Guessable,
        "The password is what anybody would try first: the name, the e-mail address, or one character repeated.",
        "Choose another one; a few words that have nothing to do with each other are easy to keep in mind.",
    ),
    (FaultCode::Nul, "The text has the character U+0000, which databases do not keep.", "Leave it out."),
    (
        FaultCode::ControlCharacter,
        "A text of one line has a control character, a line break or an override of the direction of writing \
             (U+2028 to U+202E, U+2066 to U+2069), which could make it look like another text.",
        "Leave it out. Direction marks (U+200E, U+200F) and zero-width joiners are allowed.",
    ),
    (
        FaultCode::Duplicate,
        "The same thing stands twice in a list where each may stand once.",
        "Send it once.",
    ),
    (
        FaultCode::UnknownUser,
        "Nobody with this id is a member of the organization.",
        "Take an id from `GET /v1/users`, or add the person first.",
    ),
    (
        FaultCode::UnknownItem,
        "The document has no item with this id.",
        "Read the document again: `node_id` is the id of one of its items.",
    ),
    (
        FaultCode::UnknownOption,
        "The item has no option with this id.",
        "Send the id of one of its options, not its label.",
    ),
    (
        FaultCode::KindMismatch,
        "`node_type` is not the kind of the item: `select` takes an option's id, `text` a text.",
        "Send the item's own kind.",
    ),
    (
        FaultCode::UnknownEvaluation,
        "The risk has no evaluation with this number.",
        "Take a number from the risk's evaluations.",
    ),
    (
        FaultCode::DateInFuture,
        "The date lies more than 5 minutes ahead of the service's clock.",
        "Check the clock and the offset; leave the date out for now.",
    ),
    (
        FaultCode::DateOrder,
        "Two dates contradict each other; `fields` names both, and `detail` their values.",
        "Correct the one that is wrong; there is one such fault for each pair.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_row() {
        assert_eq!(FAULTS.map(|(code, ..)| code), FaultCode::ALL);
    }
}

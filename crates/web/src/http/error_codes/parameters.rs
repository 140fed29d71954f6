//! The codes of faults in query parameters and headers.

use super::Kind;

/// By code.
pub(super) const FAULTS: &[Kind] = &[
    Kind {
        code: "conflict",
        statuses: &[],
        title: "",
        detail: "must not be sent together with as_of_seq",
        meaning: "The parameter cannot be sent together with another one.",
        remedy: "Send one of the two that `detail` names.",
    },
    Kind {
        code: "cursor",
        statuses: &[],
        title: "",
        detail: "is not a cursor of this list",
        meaning: "The cursor is not one of this list with these filters and this sort.",
        remedy: "Send `next_cursor` as it came, with the filters and the sort of the page before, or begin without it.",
    },
    Kind {
        code: "enum",
        statuses: &[],
        title: "",
        detail: "must be open or closed; did you mean `open`?",
        meaning: "The value is not one of those that the parameter takes.",
        remedy: "Send one of the values that `detail` lists.",
    },
    Kind {
        code: "format",
        statuses: &[],
        title: "",
        detail: "must be an integer from 1 to 200",
        meaning: "The value is not of the form that the parameter has.",
        remedy: "Send a value as `detail` describes it.",
    },
    Kind {
        code: "not_a_person",
        statuses: &[],
        title: "",
        detail: "cannot be `me`: the caller is a client, not a person",
        meaning: "`me` stands for the person who asks, and the caller is a client.",
        remedy: "Send the id of a user.",
    },
    Kind {
        code: "range",
        statuses: &[],
        title: "",
        detail: "must be from 1 to 200",
        meaning: "The value is outside the limits, or in the future.",
        remedy: "Send a value within the limits that `detail` names.",
    },
    Kind {
        code: "repeated",
        statuses: &[],
        title: "",
        detail: "must be given once",
        meaning: "The parameter was sent more than once.",
        remedy: "Send it once.",
    },
    Kind {
        code: "too_many",
        statuses: &[],
        title: "",
        detail: "must be given at most 50 times",
        meaning: "The parameter has more values than it may have.",
        remedy: "Send fewer.",
    },
    Kind {
        code: "unknown",
        statuses: &[],
        title: "",
        detail: "is not known; did you mean `limit`?",
        meaning: "The operation does not have this parameter.",
        remedy: "Leave it out, or use the name that `detail` suggests.",
    },
];

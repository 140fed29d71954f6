//! The codes of faults in query parameters and headers.

domain::codes! {
    "ParameterCode"
    /// What is wrong with a query parameter or a header.
    pub enum ParameterCode {
        /// The parameter has no text, or white space only.
        Blank = "blank" {
            remedy: "Send a text, or leave the parameter out.",
        }
        /// The parameter cannot be sent together with another one.
        Conflict = "conflict" {
            remedy: "Send one of the two that `detail` names.",
        }
        /// The cursor does not belong to this list with these filters and this sort.
        Cursor = "cursor" {
            remedy: "Send `next_cursor` unchanged, with the filters and the sort of the previous page, or start \
                without it.",
        }
        /// The value is not one that the parameter accepts.
        Enum = "enum" {
            remedy: "Send one of the values that `detail` lists.",
        }
        /// The value does not have the form that the parameter requires.
        Format = "format" {
            remedy: "Send a value in the form that `detail` describes.",
        }
        /// `me` is the person who asks, and the caller is a client.
        NotAPerson = "not_a_person" {
            remedy: "Send the id of a user.",
        }
        /// The value is outside the limits, or in the future.
        Range = "range" {
            remedy: "Send a value within the limits that `detail` names.",
        }
        /// The parameter was sent more than once.
        Repeated = "repeated" {
            remedy: "Send it once.",
        }
        /// The text has more characters than the parameter accepts.
        TooLong = "too_long" {
            remedy: "Send a shorter text.",
        }
        /// The parameter has too many values.
        TooMany = "too_many" {
            remedy: "Send fewer.",
        }
        /// The operation does not have this parameter.
        Unknown = "unknown" {
            remedy: "Leave it out, or use the name that `detail` suggests.",
        }
    }
}

//! The codes of errors in HTTP: the status of each, and the groups in which the documentation lists them. What is said
//! about them is in `domain::error_code`.

mod parameters;
mod status;

use domain::error_code::Explanation;
use domain::{ErrorCode, FaultCode, Word};

pub use parameters::ParameterCode;
pub use status::status;

/// Whether only the OAuth endpoints return this code.
pub fn is_of_oauth(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::InvalidClient
            | ErrorCode::InvalidGrant
            | ErrorCode::InvalidRequest
            | ErrorCode::InvalidScope
            | ErrorCode::InvalidTarget
            | ErrorCode::UnauthorizedClient
            | ErrorCode::UnsupportedGrantType
    )
}

/// The codes of the problems with this status.
pub fn of_status(text: &str) -> impl Iterator<Item = ErrorCode> {
    let all = ErrorCode::ALL.iter().copied();
    all.filter(move |code| status(*code).as_str() == text && !is_of_oauth(*code))
}

/// A code as it is listed.
pub struct Row {
    /// The code.
    pub code: &'static str,
    /// Its status; none for a fault, which is part of a problem.
    pub status: Option<u16>,
    /// What happened. Text between backticks is code.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

/// Codes that are listed together.
pub struct Group {
    /// What they are called.
    pub title: &'static str,
    /// What they have in common, as Markdown.
    pub introduction: &'static str,
    /// The prefix of its codes in anchors, so that no two anchors are the same.
    pub prefix: &'static str,
    /// The codes.
    pub rows: Vec<Row>,
}

/// Every code, in the order in which the documentation lists them.
pub fn groups() -> [Group; 4] {
    [
        Group {
            title: "Problems",
            introduction: "Outside the token endpoint every error is a problem (RFC 9457) as \
                `application/problem+json`. `code` is stable and meant for programs; `title` and `detail` are for \
                people and may be reworded. `request_id` is in the log and in the header `X-Request-Id`.",
            prefix: "",
            rows: of_errors(|code| !is_of_oauth(code)),
        },
        Group {
            title: "Errors of OAuth",
            introduction: "The endpoints under `/v1/oauth/` return `application/json` with `error` and \
                `error_description` (RFC 6749, section 5.2) in addition to the members of a problem, because OAuth \
                clients do not accept problems there. Where `code` and `error` differ, `code` is more specific.",
            prefix: "",
            rows: of_errors(is_of_oauth),
        },
        Group {
            title: "Faults of a body",
            introduction: "With `validation_failed`, `errors` lists all faults at once: `pointer` is the place in the \
                body, a JSON Pointer as a URI fragment such as `#/items/3/label`, truncated after 256 bytes. If there \
                are more than 100 faults, the first 100 are listed and the problem has `more_errors`.",
            prefix: "fault-",
            rows: of_faults(FaultCode::explanation),
        },
        Group {
            title: "Faults of a parameter",
            introduction: "With `invalid_parameter`, `errors` lists all faults at once: `parameter` is the name of the \
                query parameter or header, as it was sent.",
            prefix: "parameter-",
            rows: of_faults(ParameterCode::explanation),
        },
    ]
}

fn of_errors(is_listed: fn(ErrorCode) -> bool) -> Vec<Row> {
    let listed = ErrorCode::ALL.iter().copied().filter(|code| is_listed(*code));
    listed.map(|code| row(code, Some(status(code).as_u16()), code.explanation())).collect()
}

fn of_faults<W: Word>(explanation: fn(W) -> Explanation) -> Vec<Row> {
    W::ALL.iter().map(|code| row(*code, None, explanation(*code))).collect()
}

fn row<W: Word>(code: W, status: Option<u16>, explanation: Explanation) -> Row {
    Row { code: code.as_str(), status, meaning: code.meaning(), remedy: explanation.remedy }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_anchor_is_there_once_and_every_code_says_what_to_do() {
        let mut anchors = HashSet::new();
        for group in groups() {
            for row in &group.rows {
                assert!(anchors.insert(format!("{}{}", group.prefix, row.code)), "{}", row.code);
                for text in [row.meaning, row.remedy] {
                    assert!(
                        text.ends_with('.') && text.matches('`').count() % 2 == 0,
                        "{}: {text}",
                        row.code
                    );
                }
            }
        }
    }
}

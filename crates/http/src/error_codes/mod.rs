//! Every error that the service returns: one row for each code, with its status, its title, when it happens and what
//! to do. The responses, their examples in the OpenAPI document, `docs/errors.md` and the page at `/docs/errors`, to
//! which the `type` of every problem links, are all generated from these rows.

mod faults;
mod oauth;
mod parameters;
mod problems;

use hyper::StatusCode;

/// A kind of error, identified by its stable code.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The value of `code`, and the fragment of `type`.
    pub code: &'static str,
    /// The statuses it is returned with; none for a fault, which is part of a problem.
    pub statuses: &'static [u16],
    /// The `title` of its response; none for a fault.
    pub title: &'static str,
    /// The `detail` of its example, and of a response without a more specific one.
    pub detail: &'static str,
    /// What happened. Text between backticks is code.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

impl Kind {
    /// The usual status.
    pub fn status(&self) -> StatusCode {
        let status = self.statuses.first().and_then(|status| StatusCode::from_u16(*status).ok());
        status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The `type` of its problem.
    pub fn link(&self) -> String {
        format!("/docs/errors#{}", self.code)
    }
}

/// The row of a problem, or of an OAuth error.
pub fn row(code: &str) -> Option<&'static Kind> {
    problems::PROBLEMS.iter().chain(oauth::ERRORS).find(|kind| kind.code == code)
}

/// Whether only the OAuth endpoints return this code.
pub fn is_of_oauth(code: &str) -> bool {
    oauth::ERRORS.iter().any(|kind| kind.code == code)
}

/// The rows of the problems with this status.
pub fn of_status(status: &str) -> impl Iterator<Item = &'static Kind> {
    problems::PROBLEMS.iter().filter(move |kind| kind.status().as_str() == status)
}

/// Kinds of errors that are listed together.
pub struct Group {
    /// What they are called.
    pub title: &'static str,
    /// What they have in common, as Markdown.
    pub introduction: &'static str,
    /// The prefix of its codes in anchors, so that no two anchors are the same.
    pub prefix: &'static str,
    /// The errors.
    pub kinds: Vec<Kind>,
}

/// Every kind of error, in the order in which the documentation lists them.
pub fn groups() -> [Group; 4] {
    [
        Group {
            title: "Problems",
            introduction: "Outside the token endpoint every error is a problem (RFC 9457) as \
                `application/problem+json`. `code` is stable and made for programs; `title` and `detail` are for \
                people and may get better. `request_id` is in the log and in the header `X-Request-Id`.",
            prefix: "",
            kinds: problems::PROBLEMS.to_vec(),
        },
        Group {
            title: "Errors of OAuth",
            introduction: "The endpoints under `/v1/oauth/` answer `application/json` with `error` and \
                `error_description` (RFC 6749, section 5.2) beside the members of a problem, because OAuth clients \
                refuse problems there. `code` says more than `error` where the two differ.",
            prefix: "",
            kinds: oauth::ERRORS.to_vec(),
        },
        Group {
            title: "Faults of a body",
            introduction: "With `validation_failed`, `errors` names every fault at once: `pointer` is the place in \
                the body, a JSON Pointer as a URI fragment such as `#/items/3/label`, cut after 256 bytes. After 100 \
                faults the problem has `more_errors` instead.",
            prefix: "fault-",
            kinds: faults::kinds(),
        },
        Group {
            title: "Faults of a parameter",
            introduction: "With `invalid_parameter`, `errors` names every fault at once: `parameter` is the name of \
                the query parameter or header, as it was sent.",
            prefix: "parameter-",
            kinds: parameters::FAULTS.to_vec(),
        },
    ]
}

/// Whether the tables contain this problem with this status. The tests check every response with it.
pub fn knows_problem(code: &str, status: u16) -> bool {
    row(code).is_some_and(|kind| kind.statuses.contains(&status))
}

/// The title of a problem's row. Responses use it too, unless they name the kind of record that was not found.
pub fn title(code: &str) -> Option<&'static str> {
    row(code).map(|kind| kind.title)
}

/// Whether the tables contain this fault of a body.
pub fn knows_fault(code: &str) -> bool {
    faults::kinds().iter().any(|kind| kind.code == code)
}

/// Whether the tables contain this fault of a parameter.
pub fn knows_parameter_fault(code: &str) -> bool {
    parameters::FAULTS.iter().any(|kind| kind.code == code)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_anchor_is_there_once_and_every_kind_says_what_to_do() {
        let mut anchors = HashSet::new();
        for group in groups() {
            for kind in &group.kinds {
                assert!(anchors.insert(format!("{}{}", group.prefix, kind.code)), "{}", kind.code);
                for text in [kind.meaning, kind.remedy] {
                    assert!(
                        text.ends_with('.') && text.matches('`').count() % 2 == 0,
                        "{}: {text}",
                        kind.code
                    );
                }
            }
        }
    }
}

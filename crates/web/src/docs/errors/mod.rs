//! Every error that the service answers with: one row for each code, with its status, its title, when it happens and
//! what to do. The answers, their examples in the OpenAPI document, `docs/errors.md` and the page at `/docs/errors`,
//! where the `type` of every problem leads, are all made from these rows.

mod faults;
mod markdown;
mod oauth;
mod page;
mod parameters;
mod problems;

use hyper::StatusCode;

pub(crate) use page::page;

/// One kind of error, known by its stable code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// As in `code`, and in the fragment of `type`.
    pub(crate) code: &'static str,
    /// The status it comes with; none for a fault, which is part of a problem.
    pub(crate) statuses: &'static [u16],
    /// The `title` of its answer; none for a fault.
    pub(crate) title: &'static str,
    /// The `detail` of its answer where that says no more, and of its example.
    pub(crate) detail: &'static str,
    /// What happened. Text between backticks is code.
    meaning: &'static str,
    /// What to do about it.
    remedy: &'static str,
}

impl Kind {
    /// The status it comes with.
    pub(crate) fn status(&self) -> StatusCode {
        let status = self.statuses.first().and_then(|status| StatusCode::from_u16(*status).ok());
        status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The `type` of its problems.
    pub(crate) fn link(&self) -> String {
        format!("/docs/errors#{}", self.code)
    }
}

/// The row of a problem, or of an error of OAuth.
pub(crate) fn row(code: &str) -> Option<&'static Kind> {
    problems::PROBLEMS.iter().chain(oauth::ERRORS).find(|kind| kind.code == code)
}

/// Whether only OAuth's endpoints answer with this code.
pub(crate) fn is_of_oauth(code: &str) -> bool {
    oauth::ERRORS.iter().any(|kind| kind.code == code)
}

/// The rows of the problems with this status.
pub(crate) fn of_status(status: &str) -> impl Iterator<Item = &'static Kind> {
    problems::PROBLEMS.iter().filter(move |kind| kind.status().as_str() == status)
}

/// Kinds that stand together.
struct Group {
    title: &'static str,
    introduction: &'static str,
    /// What stands before a code in an anchor, so that no two are the same.
    prefix: &'static str,
    kinds: Vec<Kind>,
}

fn groups() -> [Group; 4] {
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

/// The text of `docs/errors.md`.
pub fn text() -> String {
    markdown::text(&groups())
}

/// Whether the tables know this problem, with this status: the tests ask it of every answer.
pub fn knows_problem(code: &str, status: u16) -> bool {
    row(code).is_some_and(|kind| kind.statuses.contains(&status))
}

/// The title of a problem's row, which is that of its answers unless they name what was not found.
pub fn title(code: &str) -> Option<&'static str> {
    row(code).map(|kind| kind.title)
}

/// Whether the tables know this fault of a body.
pub fn knows_fault(code: &str) -> bool {
    faults::kinds().iter().any(|kind| kind.code == code)
}

/// Whether the tables know this fault of a parameter.
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

//! Texts of the pages about exceptions to documents.

use std::fmt::Display;

pub(crate) const EXCEPTIONS: &str = "Exceptions";
pub(crate) const EXCEPTION_REQUESTED: &str = "Exception requested.";
pub(crate) const DOCUMENT_NOT_PUBLISHED: &str = "The document is not published.";
pub(crate) const DOCUMENT_IS_ARCHIVED: &str = "The document is archived.";

/// The title of the page of one exception.
pub(crate) fn exception(number: i64) -> String {
    format!("Exception {number}")
}

/// The title of the page with the exceptions to a document.
pub(crate) fn exceptions_to(document: impl Display) -> String {
    format!("Exceptions to {document}")
}

/// What is told after a step.
pub(crate) fn exception_step(step: &str, decision: &str) -> &'static str {
    match (step, decision) {
        ("revoke", _) => "Exception revoked.",
        ("waive", _) => "The requester can decide about this request.",
        ("decide" | "record", "refused") => "Request refused.",
        ("decide" | "record", _) => "Exception accepted.",
        _ => "Request withdrawn.",
    }
}

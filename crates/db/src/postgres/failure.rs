//! What an error of PostgreSQL means.

use tokio_postgres::error::{Severity, SqlState};

use crate::error::Error;

/// Whether the server refused the statement and keeps running. A server that is stopping returns an error of higher
/// severity.
pub(super) fn is_refusal(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|detail| detail.parsed_severity() == Some(Severity::Error))
}

/// The innermost cause, which the driver's own text omits: "Connection refused", not "error connecting to
/// server".
pub(super) fn cause(error: &tokio_postgres::Error) -> String {
    if let Some(detail) = error.as_db_error() {
        return detail.message().to_owned();
    }
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// What an error of PostgreSQL means. Its message may quote values, so only the code and the primary
/// message of the server are kept.
pub(super) fn failure(error: &tokio_postgres::Error) -> Error {
    let Some(detail) = error.as_db_error() else {
        let text = error.to_string();
        // The driver distinguishes its kinds of errors only by their texts.
        let ours = ["error serializing parameter", "expected "].iter().any(|start| text.starts_with(start));
        let told = cause(error);
        return if ours { Error::Internal(text) } else { Error::unavailable(format!("PostgreSQL: {told}")) };
    };
    let code = detail.code();
    let text = format!("PostgreSQL {}: {}", code.code(), detail.message());
    if *code == SqlState::LOCK_NOT_AVAILABLE {
        return Error::HeadBusy;
    }
    match code.code().get(..2) {
        Some("23") => Error::Constraint { name: detail.constraint().unwrap_or_default().to_owned() },
        Some("08" | "53" | "57" | "58" | "40" | "55" | "25") => Error::Unavailable(text),
        _ => Error::Internal(text),
    }
}

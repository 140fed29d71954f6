//! Why a command failed, for the person at the terminal or the script that called it.

use std::fmt;

use serde::Serialize;

/// A result of a command.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// The database cannot be reached, or not now.
const UNAVAILABLE: &str = "unavailable";

/// Why a command failed; the process ends with 1.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    /// Stable, for scripts.
    code: &'static str,
    /// What is printed after `bailiwick: `.
    message: String,
    /// One line each, printed below the message.
    details: Vec<String>,
    /// Whether the same may succeed in a moment.
    #[serde(skip)]
    may_pass: bool,
}

impl Failure {
    /// A failure without a specific code.
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self { code: "failed", message: reason.to_string(), details: Vec::new(), may_pass: false }
    }

    /// The same with a code of its own.
    pub(crate) fn coded(self, code: &'static str) -> Self {
        Self { code, ..self }
    }

    /// The same with lines below the message.
    pub(crate) fn with(self, details: impl IntoIterator<Item = String>) -> Self {
        Self { details: details.into_iter().collect(), ..self }
    }

    /// Whether the database cannot be used now, and may be in a moment.
    pub(crate) fn may_pass(&self) -> bool {
        self.may_pass
    }

    /// The lines for a person.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let message = std::iter::once(format!("bailiwick: {}", self.message));
        message.chain(self.details.iter().map(|detail| format!("  {detail}")))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.details.iter().try_for_each(|detail| write!(f, "\n  {detail}"))
    }
}

impl From<db::Error> for Failure {
    fn from(error: db::Error) -> Self {
        match error {
            db::Error::OtherSchema { .. } => Self::new(format!(
                "This register was made before version 0.1.0 and cannot be upgraded ({error}). Nothing was changed. \
                 Keep it with the program that made it, or start with another folder or database."
            ))
            .coded("other_schema"),
            db::Error::Unavailable(_) | db::Error::HeadBusy | db::Error::OutcomeUnknown => {
                Self { may_pass: true, ..Self::new(error).coded(UNAVAILABLE) }
            }
            db::Error::Denied(_) => Self::new(error).coded(UNAVAILABLE),
            error => Self::new(error).coded("failed"),
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Self::from(error.0)
    }
}

impl From<domain::Error> for Failure {
    fn from(error: domain::Error) -> Self {
        match error {
            domain::Error::Invalid(faults) => {
                let mut told = faults.iter().map(|fault| format!("{}: {}", fault.pointer, fault.detail));
                match (told.next(), faults.len()) {
                    (Some(only), 1) => Self::new(only),
                    (Some(first), count) => Self::new(format!("{count} options are wrong"))
                        .with(std::iter::once(first).chain(told)),
                    (None, _) => Self::new("an option is wrong"),
                }
                .coded("invalid")
            }
            error => {
                let code = code(&error);
                Self { may_pass: code == UNAVAILABLE, ..Self::new(error).coded(code) }
            }
        }
    }
}

/// The code of an error that is not about the options.
fn code(error: &domain::Error) -> &'static str {
    match error {
        domain::Error::NotFound(_) => "not_found",
        domain::Error::Conflict(code) => code.as_str(),
        domain::Error::Unavailable(_) | domain::Error::HeadBusy | domain::Error::OutcomeUnknown => {
            UNAVAILABLE
        }
        _ => "failed",
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error)
    }
}

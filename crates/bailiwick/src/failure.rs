//! Why a command failed, in a sentence for the person at the terminal.

use std::fmt;

/// A result of a command.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// What is printed after `bailiwick: `; the process ends with 1.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl Failure {
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<db::Error> for Failure {
    fn from(error: db::Error) -> Self {
        match error {
            db::Error::OtherSchema { .. } => Self(format!(
                "This register was made before version 0.1.0 and cannot be upgraded ({error}). Nothing was changed. \
                 Keep it with the program that made it, or start with another folder or database."
            )),
            error => Self::new(error),
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
                let faults = faults.iter().map(|fault| format!("{}: {}", fault.pointer, fault.detail));
                Self(faults.collect::<Vec<_>>().join("; "))
            }
            error => Self::new(error),
        }
    }
}

impl From<crate::demo::Error> for Failure {
    fn from(error: crate::demo::Error) -> Self {
        match error {
            crate::demo::Error::Store(error) => error.into(),
            error @ crate::demo::Error::NotADemo => Self::new(error),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error)
    }
}

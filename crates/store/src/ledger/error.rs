//! The one place where errors of the database are mapped to the product's.

use std::fmt;

/// A result of the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The product's error, so that `?` works on errors of the database too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub domain::Error);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<domain::Error> for Error {
    fn from(error: domain::Error) -> Self {
        Self(error)
    }
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        Self(match error {
            // A constraint that an input can violate is answered where the row is written, by its name
            // or by ON CONFLICT; one that arrives here is a bug.
            db::Error::Constraint { name } => domain::Error::Internal(format!("constraint {name}")),
            db::Error::Unavailable(reason) | db::Error::Denied(reason) => domain::Error::Unavailable(reason),
            db::Error::HeadBusy => domain::Error::HeadBusy,
            db::Error::OutcomeUnknown => domain::Error::OutcomeUnknown,
            db::Error::WentBack => domain::Error::WentBack,
            db::Error::UnknownOrganization => domain::Error::NotFound(domain::ResourceKind::Organization),
            other @ db::Error::OtherSchema { .. } => domain::Error::Unavailable(other.to_string()),
            db::Error::Internal(reason) => domain::Error::Internal(reason),
        })
    }
}

/// What was found; nothing if there is no such record.
pub(crate) fn if_found<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(Error(domain::Error::NotFound(_))) => Ok(None),
        found => found.map(Some),
    }
}

/// The faults of a change that is refused for them.
pub(crate) fn faults_of<T>(change: domain::Result<T>) -> domain::Faults {
    match change {
        Err(domain::Error::Invalid(faults)) => faults,
        _ => domain::Faults::new(),
    }
}

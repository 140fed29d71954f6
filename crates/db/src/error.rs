//! What can go wrong below the SQL.

/// A result of the database layer.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a statement or a write failed. Texts are for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A named constraint or unique index refused a row.
    #[error("constraint {name} is violated")]
    Constraint {
        /// The constraint's name in the migrations; `foreign_key` where SQLite does not report it.
        name: String,
    },
    /// The database cannot do this now: locked, full, gone, overloaded. Nothing was changed.
    #[error("{0}")]
    Unavailable(String),
    /// Another process has held the organization's head for too long. Nothing was changed.
    #[error("the organization's head is held by another process")]
    HeadBusy,
    /// The connection broke at COMMIT, and whether it took effect could not be determined.
    #[error("the outcome of the commit is unknown")]
    OutcomeUnknown,
    /// The database lacks what this process has acknowledged, so it writes nothing more. Nothing was changed.
    #[error("the database lacks what was acknowledged")]
    WentBack,
    /// The server was reached and will never do what is asked: wrong password, no such database. Nothing was changed.
    #[error("{0}")]
    Denied(String),
    /// There is no such organization.
    #[error("there is no such organization")]
    UnknownOrganization,
    /// The schema was made by other migrations than this program's, and cannot be brought up to date.
    #[error("the schema has the migration {found} where this version has {expected}")]
    OtherSchema {
        /// The first migration that differs.
        found: String,
        /// The one that this program has in its place.
        expected: &'static str,
    },
    /// A bug in this program: wrong SQL, a wrong type, a panic inside a write.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    pub(crate) fn unavailable(reason: impl std::fmt::Display) -> Self {
        Self::Unavailable(reason.to_string())
    }

    pub(crate) fn denied(reason: impl std::fmt::Display) -> Self {
        Self::Denied(reason.to_string())
    }

    pub(crate) fn internal(reason: impl std::fmt::Display) -> Self {
        Self::Internal(reason.to_string())
    }
}

//! Why a server cannot be used.

use tokio_postgres::error::SqlState;

use super::cause;
use crate::error::Error;

/// Why one server cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Obstacle {
    text: String,
    /// Whether waiting does not help.
    is_lasting: bool,
}

impl Obstacle {
    /// One that may pass: the server does not run, does not answer, or is a standby.
    pub(super) fn passing(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_lasting: false }
    }

    /// The same of a server.
    pub(super) fn at(self, server: &str) -> Self {
        Self { text: format!("{server}: {}", self.text), ..self }
    }

    /// The error when there is no server without an obstacle.
    pub(super) fn together(all: &[Self]) -> Error {
        let texts: Vec<_> = all.iter().map(|obstacle| obstacle.text.as_str()).collect();
        let text = format!("cannot connect to PostgreSQL at {}", texts.join("; at "));
        match all.iter().any(|obstacle| obstacle.is_lasting) {
            true => Error::Denied(text),
            false => Error::Unavailable(text),
        }
    }
}

impl From<&tokio_postgres::Error> for Obstacle {
    fn from(error: &tokio_postgres::Error) -> Self {
        let is_lasting = match error.code() {
            // The name or the password is wrong, or `pg_hba.conf` has no line for them.
            Some(code) if code.code().starts_with("28") => true,
            Some(code) => [SqlState::INVALID_CATALOG_NAME, SqlState::INSUFFICIENT_PRIVILEGE].contains(code),
            // The driver distinguishes its kinds of errors only by their texts.
            None => error.to_string().starts_with("invalid configuration"),
        };
        Self { text: cause(error), is_lasting }
    }
}

//! The severity of an incident: how bad it is, and why.

mod level;

/// A severity with its origin, as it is stored in an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedSeverity {
    /// How severe.
    pub severity: Severity,
    /// The sentence that explains it.
    pub reasoning: Option<String>,
    /// How it came about; none for an undetermined one.
    pub source: Option<SeveritySource>,
    /// The answers that it was computed from, or that another one was computed from beside a manual one, as JSON.
    pub answers: Option<String>,
}

pub use level::{Severity, SeveritySource};

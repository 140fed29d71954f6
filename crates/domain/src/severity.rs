//! The severity of an incident: how bad it is, and why.

mod level;

pub use level::{Severity, SeveritySource};

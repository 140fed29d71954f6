//! The severity of an incident: how bad it is, and why.
//!
//! A caller answers the questions of a rule set; the rules make an [`Assessment`] of the answers. The rules are tables
//! with a version, and the sentence that explains the result is a pure function of the answers.

mod answers;
mod assessment;
pub mod bailiwick;
pub mod cisa;
mod known;
mod level;
mod phrase;
mod record;
mod ruleset;
mod samples;
mod sent;
mod stored;
#[cfg(test)]
mod tests;

pub use answers::{Answers, Rules};
pub use assessment::{Assessment, Factor, FactorValue, Range, Score};
pub use level::{Severity, SeveritySource};
pub use record::{StatedSeverity, check_explained};
pub use ruleset::Ruleset;
pub use samples::samples;

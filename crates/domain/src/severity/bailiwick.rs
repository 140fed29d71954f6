//! Bailiwick's own rules: the highest impact against the urgency, and floors.

mod answers;
mod assess;
mod clauses;
mod findings;
mod rules;
#[cfg(test)]
mod tests;
mod unknown;
mod wording;

pub use answers::{Answers, Area, Impact, Impacts, Urgency};
pub use rules::{AreaRules, BAILIWICK_1, Floor, FloorFact, LevelRow, Rules};
#[cfg(test)]
pub(super) use tests::{explained, some_answers};

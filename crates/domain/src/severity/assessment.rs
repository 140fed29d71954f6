//! What a rule set makes of answers.

use std::fmt;

use super::level::Severity;
use super::ruleset::Ruleset;

/// A severity with everything that explains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    /// The rules, with their version.
    pub ruleset: Ruleset,
    /// The level that the known answers give.
    pub severity: Severity,
    /// The level, the answers that decided it and what is unknown, in sentences for a person.
    pub reasoning: String,
    /// The score, if the rule set has one.
    pub score: Option<Score>,
    /// The known answers, in the order of the questions.
    pub factors: Vec<Factor>,
    /// The names of the questions without an answer, in their order.
    pub missing: Vec<&'static str>,
    /// What the severity can become when the missing answers are given.
    pub range: Range,
}

/// A known answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// The name of the question: the member of the answers.
    pub name: &'static str,
    /// The answer.
    pub value: FactorValue,
    /// The answer as a sentence for a person.
    pub sentence: String,
    /// Whether the reasoning is based on it.
    pub decides: bool,
}

/// An answer as it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorValue {
    /// An impact, or a number of people.
    Number(u64),
    /// A word of a closed list.
    Word(&'static str),
    /// Yes or no.
    Flag(bool),
}

/// The severities that are possible once every question is answered. Both ends can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The lowest.
    pub best: Severity,
    /// The highest.
    pub worst: Severity,
}

/// A score from 0 to 100 in hundredths, rounded half up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub u32);

/// Without trailing zeros: `53.17`, `40.5`, `0`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, part) if part % 10 == 0 => write!(f, "{whole}.{}", part / 10),
            (whole, part) => write!(f, "{whole}.{part:02}"),
        }
    }
}

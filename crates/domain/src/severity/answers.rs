//! Answers to the questions of a rule set, and what they give.

use super::assessment::Assessment;
use super::ruleset::Ruleset;
use super::{bailiwick, cisa};

impl Ruleset {
    /// The tables of the rule set. Those of a released version never change: stored answers refer to them.
    pub fn rules(self) -> Rules {
        match self {
            Self::Bailiwick1 => Rules::Bailiwick(&bailiwick::BAILIWICK_1),
            Self::CisaNcisss1 => Rules::Cisa(&cisa::CISA_NCISSS_1),
        }
    }
}

/// The tables of a rule set, by the kind of answers that they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// A version of Bailiwick's own rules.
    Bailiwick(&'static bailiwick::Rules),
    /// A version of CISA's scoring system.
    Cisa(&'static cisa::Rules),
}

/// Answers to the questions of a rule set. What is not answered is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answers {
    /// By a version of Bailiwick's own rules.
    Bailiwick(&'static bailiwick::Rules, bailiwick::Answers),
    /// By a version of CISA's scoring system.
    Cisa(&'static cisa::Rules, cisa::Answers),
}

impl Answers {
    /// The rule set whose questions were answered.
    pub fn ruleset(&self) -> Ruleset {
        match self {
            Self::Bailiwick(rules, _) => rules.ruleset,
            Self::Cisa(rules, _) => rules.ruleset,
        }
    }

    /// The severity that the rules give, and why.
    pub fn assess(&self) -> Assessment {
        match self {
            Self::Bailiwick(rules, answers) => rules.assess(answers),
            Self::Cisa(rules, answers) => rules.assess(answers),
        }
    }
}

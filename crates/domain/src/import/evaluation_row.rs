//! An evaluation that was read from a file.

use crate::evaluation::NewEvaluation;
use crate::ids::RiskNumber;

/// How a row names the risk that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RiskKey {
    /// By its reference in the list that it comes from, or else by its id here.
    Reference(String),
    /// By its title.
    Title(String),
}

impl RiskKey {
    /// The id that it may be: written with its prefix, because a bare number is a reference.
    pub fn id(&self) -> Option<RiskNumber> {
        match self {
            Self::Reference(text) => {
                let prefix = text.get(..RiskNumber::PREFIX.len())?;
                prefix.eq_ignore_ascii_case(RiskNumber::PREFIX).then(|| RiskNumber::parse(text))?
            }
            Self::Title(_) => None,
        }
    }
}

/// An evaluation that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedEvaluation {
    /// The risk.
    pub risk: RiskKey,
    /// What is recorded.
    pub new: NewEvaluation,
    /// Whether the file is one of our own exports, which has each evaluation once, with its note.
    pub is_ours: bool,
}

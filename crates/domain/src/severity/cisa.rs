//! The National Cyber Incident Scoring System (NCISS) of CISA: a score of eight weighted factors.

mod answers;
mod assess;
mod findings;
mod rules;
#[cfg(test)]
mod tests;
mod wording;
mod words;

pub use answers::Answers;
pub use rules::{CISA_NCISSS_1, Factor, Rules};
#[cfg(test)]
pub(super) use tests::{explained, some_answers};
pub use words::{
    Actor, FunctionalImpact, InformationImpact, Location, ObservedActivity, PotentialImpact, Recoverability,
    Sector,
};

//! The answers that the scoring system takes. `None` is unknown, as the word `unknown` is where there is one.

use super::words::{
    Actor, FunctionalImpact, InformationImpact, Location, ObservedActivity, PotentialImpact, Recoverability,
    Sector,
};

/// Answers by CISA's scoring system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields are the factors, which their types explain")]
pub struct Answers {
    pub functional_impact: Option<FunctionalImpact>,
    pub observed_activity: Option<ObservedActivity>,
    pub location: Option<Location>,
    pub actor: Option<Actor>,
    pub information_impact: Option<InformationImpact>,
    pub recoverability: Option<Recoverability>,
    pub cross_sector_dependency: Option<Sector>,
    pub potential_impact: Option<PotentialImpact>,
}

//! The answers that the scoring system takes. `None` is unknown, as the word `unknown` is where there is one.

use macros::Body;

use super::super::known::known_word;
use super::words::{
    Actor, FunctionalImpact, InformationImpact, Location, ObservedActivity, PotentialImpact, Recoverability,
    Sector,
};

/// The eight factors of CISA's scoring system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Body)]
#[body(name = "CisaFactors")]
pub struct Answers {
    /// The impact on the services of the organization.
    #[body(read = known_word)]
    pub functional_impact: Option<FunctionalImpact>,
    /// What an attacker was observed to do.
    #[body(read = known_word)]
    pub observed_activity: Option<ObservedActivity>,
    /// Where in the network the activity was observed.
    #[body(read = known_word)]
    pub location: Option<Location>,
    /// Who is behind the incident.
    #[body(read = known_word)]
    pub actor: Option<Actor>,
    /// What happened to information.
    #[body(read = known_word)]
    pub information_impact: Option<InformationImpact>,
    /// What recovery takes.
    #[body(read = known_word)]
    pub recoverability: Option<Recoverability>,
    /// The sector of the organization, by how much other sectors depend on it.
    #[body(read = known_word)]
    pub cross_sector_dependency: Option<Sector>,
    /// The impact that the incident could have on the public if nothing is done.
    #[body(read = known_word)]
    pub potential_impact: Option<PotentialImpact>,
}

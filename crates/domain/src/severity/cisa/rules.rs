//! The scoring system as tables, one for each version. A version that was released is never edited, because incidents
//! keep answers that were given by it.

use super::answers::Answers;
use super::words::{
    Actor, FunctionalImpact, InformationImpact, Location, ObservedActivity, PotentialImpact, Recoverability,
    Sector,
};
use crate::Word;
use crate::severity::Ruleset;
use crate::severity::Severity::{self, Critical, High, Medium};

/// One version of the scoring system.
#[derive(Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the factors are explained by their types")]
pub struct Rules {
    pub ruleset: Ruleset,
    pub functional_impact: Factor<FunctionalImpact>,
    pub observed_activity: Factor<ObservedActivity>,
    pub location: Factor<Location>,
    pub actor: Factor<Actor>,
    pub information_impact: Factor<InformationImpact>,
    pub recoverability: Factor<Recoverability>,
    pub cross_sector_dependency: Factor<Sector>,
    pub potential_impact: Factor<PotentialImpact>,
    /// The least and the greatest weighted sum: a score of 0 and of 100.
    pub sums: [u32; 2],
    /// The scores at which levels begin, the highest first. Below the last one it is low.
    pub levels: &'static [(u32, Severity)],
}

/// A factor of the score.
#[derive(Debug, PartialEq, Eq)]
pub struct Factor<W: 'static> {
    /// The name of the factor in a sentence.
    pub noun: &'static str,
    /// By what its value is multiplied.
    pub weight: u32,
    /// The word that means that it is unknown, and counts when there is no answer.
    pub unknown: Option<W>,
    /// Each word with its value.
    pub values: &'static [(W, u32)],
}

/// A factor with its answer, whatever its words are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    /// The name of the question.
    pub(super) name: &'static str,
    /// The name in a sentence.
    pub(super) noun: &'static str,
    /// The word and the meaning of the answer; none if it is unknown.
    pub(super) answer: Option<(&'static str, &'static str)>,
    /// The weighted value that counts.
    pub(super) counts: u32,
    /// The least and the greatest weighted value.
    pub(super) least: u32,
    pub(super) most: u32,
}

impl<W: Word> Factor<W> {
    /// The weighted value of a word.
    fn weighted(&self, word: W) -> Option<u32> {
        self.values.iter().find(|row| row.0 == word).map(|row| row.1 * self.weight)
    }

    fn row(&self, name: &'static str, answer: Option<W>) -> Row {
        let all = || self.values.iter().map(|row| row.1 * self.weight);
        let (least, most) = (all().min().unwrap_or_default(), all().max().unwrap_or_default());
        let known = answer.filter(|word| Some(*word) != self.unknown);
        let counts = known.or(self.unknown).and_then(|word| self.weighted(word)).unwrap_or(least);
        let answer = known.map(|word| (word.as_str(), word.meaning()));
        Row { name, noun: self.noun, answer, counts, least, most }
    }
}

impl Rules {
    /// The factors with these answers, in the order of the tables.
    pub(super) fn rows(&self, answers: &Answers) -> [Row; 8] {
        [
            self.functional_impact.row("functional_impact", answers.functional_impact),
            self.observed_activity.row("observed_activity", answers.observed_activity),
            self.location.row("location", answers.location),
            self.actor.row("actor", answers.actor),
            self.information_impact.row("information_impact", answers.information_impact),
            self.recoverability.row("recoverability", answers.recoverability),
            self.cross_sector_dependency.row("cross_sector_dependency", answers.cross_sector_dependency),
            self.potential_impact.row("potential_impact", answers.potential_impact),
        ]
    }
}

/// The first version. Weights and values are those of NCISS; the scores at which levels begin are ours.
pub static CISA_NCISSS_1: Rules = Rules {
    ruleset: Ruleset::CisaNcisss1,
    functional_impact: Factor {
        noun: "the functional impact",
        weight: 6,
        unknown: None,
        values: &[
            (FunctionalImpact::None, 0),
            (FunctionalImpact::NoImpactToServices, 20),
            (FunctionalImpact::MinimalNonCritical, 35),
            (FunctionalImpact::MinimalCritical, 40),
            (FunctionalImpact::SignificantNonCritical, 50),
            (FunctionalImpact::DenialNonCritical, 60),
            (FunctionalImpact::SignificantCritical, 70),
            (FunctionalImpact::DenialCritical, 100),
        ],
    },
    observed_activity: Factor {
        noun: "the observed activity",
        weight: 5,
        unknown: None,
        values: &[
            (ObservedActivity::None, 0),
            (ObservedActivity::Prepare, 40),
            (ObservedActivity::Engage, 70),
            (ObservedActivity::Presence, 80),
            (ObservedActivity::Effect, 100),
        ],
    },
    location: Factor {
        noun: "the location",
        weight: 4,
        unknown: Some(Location::Unknown),
        values: &[
            (Location::BusinessDmz, 30),
            (Location::BusinessNetwork, 40),
            (Location::Unknown, 50),
            (Location::BusinessNetworkManagement, 60),
            (Location::CriticalSystemDmz, 70),
            (Location::CriticalSystemManagement, 80),
            (Location::CriticalSystems, 90),
            (Location::SafetySystems, 100),
        ],
    },
    actor: Factor {
        noun: "the actor",
        weight: 4,
        unknown: Some(Actor::Unknown),
        values: &[
            (Actor::Hacktivist, 20),
            (Actor::UnwittingInsider, 30),
            (Actor::Criminal, 40),
            (Actor::Unknown, 50),
            (Actor::WittingInsider, 65),
            (Actor::Apt, 80),
            (Actor::AptTargeted, 100),
        ],
    },
    information_impact: Factor {
        noun: "the information impact",
        weight: 2,
        unknown: None,
        values: &[
            (InformationImpact::None, 0),
            (InformationImpact::Suspected, 10),
            (InformationImpact::PrivacyDataLoss, 20),
            (InformationImpact::ProprietaryLoss, 50),
            (InformationImpact::DestructionNonCritical, 60),
            (InformationImpact::CriticalDataBreach, 70),
            (InformationImpact::CoreCredentialCompromise, 80),
            (InformationImpact::DestructionCritical, 100),
        ],
    },
    recoverability: Factor {
        noun: "the recoverability",
        weight: 4,
        unknown: None,
        values: &[
            (Recoverability::Regular, 20),
            (Recoverability::Supplemented, 40),
            (Recoverability::Extended, 60),
            (Recoverability::NotRecoverable, 100),
        ],
    },
    cross_sector_dependency: Factor {
        noun: "the dependency of other sectors",
        weight: 3,
        unknown: None,
        values: &[
            (Sector::Nuclear, 15),
            (Sector::Agriculture, 20),
            (Sector::Chemical, 20),
            (Sector::Dams, 25),
            (Sector::Emergency, 25),
            (Sector::Commercial, 30),
            (Sector::Healthcare, 30),
            (Sector::Banking, 35),
            (Sector::Defense, 35),
            (Sector::Government, 40),
            (Sector::CriticalManufacturing, 50),
            (Sector::Water, 60),
            (Sector::Communications, 75),
            (Sector::Transportation, 75),
            (Sector::It, 80),
            (Sector::Energy, 100),
        ],
    },
    potential_impact: Factor {
        noun: "the potential impact",
        weight: 6,
        unknown: None,
        values: &[
            (PotentialImpact::Minimal, 0),
            (PotentialImpact::Low, 25),
            (PotentialImpact::Moderate, 50),
            (PotentialImpact::High, 75),
            (PotentialImpact::Severe, 100),
        ],
    },
    sums: [325, 3400],
    levels: &[(65, Critical), (50, High), (35, Medium)],
};

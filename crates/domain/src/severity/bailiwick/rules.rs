//! The rules as tables, one for each version. A version that was released is never edited, because incidents keep
//! answers that were given by it: changed rules are a new version beside it.

use super::answers::{Area, Impact, Urgency};
use crate::severity::Ruleset;
use crate::severity::Severity::{self, Critical, High, Low, Medium, Undetermined};

/// One version of the rules.
#[derive(Debug, PartialEq, Eq)]
pub struct Rules {
    /// The name of the version.
    pub ruleset: Ruleset,
    /// The level by the highest impact and the urgency.
    pub levels: &'static [LevelRow],
    /// The facts that give at least a certain level, whatever the rest is.
    pub floors: &'static [Floor],
    /// The areas of impact.
    pub areas: &'static [AreaRules],
}

/// The levels of a highest impact: spreading, contained, over.
#[derive(Debug, PartialEq, Eq)]
pub struct LevelRow(pub u8, pub [Severity; 3]);

/// A fact, and the level that it gives at least.
#[derive(Debug, PartialEq, Eq)]
pub struct Floor(pub FloorFact, pub Severity);

/// A fact that gives at least a certain level.
#[derive(Debug, PartialEq, Eq)]
pub enum FloorFact {
    /// The impact on people's safety is at least this.
    People(u8),
    /// The personal data of at least this many people is affected.
    PersonalDataPeople(u64),
    /// Administrator credentials were compromised.
    AdministratorCredentials,
}

/// The words for an area of impact.
#[derive(Debug, PartialEq, Eq)]
pub struct AreaRules {
    /// The area.
    pub area: Area,
    /// What the incident has an effect on.
    pub effect_on: &'static str,
    /// The question as it stands after "It is not known yet".
    pub question: &'static str,
    /// What each impact means, from 0 to 4: a clause in the past tense, so that it also fits when the incident is over.
    pub meanings: [&'static str; 5],
}

impl Rules {
    /// The level by the table.
    pub fn level(&self, highest: Impact, urgency: Urgency) -> Severity {
        let row = self.levels.iter().find(|row| row.0 == highest.get());
        row.and_then(|row| row.1.get(urgency as usize)).copied().unwrap_or(Undetermined)
    }
}

impl AreaRules {
    /// What an impact on this area means, as a clause.
    pub fn meaning(&self, impact: Impact) -> &'static str {
        self.meanings.get(usize::from(impact.get())).copied().unwrap_or_default()
    }
}

/// The first version.
pub static BAILIWICK_1: Rules = Rules {
    ruleset: Ruleset::Bailiwick1,
    levels: &[
        //           spreading contained over
        LevelRow(4, [Critical, Critical, High]),
        LevelRow(3, [High, High, Medium]),
        LevelRow(2, [High, Medium, Low]),
        LevelRow(1, [Medium, Low, Low]),
        LevelRow(0, [Low, Low, Low]),
    ],
    floors: &[
        Floor(FloorFact::People(3), Critical),
        Floor(FloorFact::PersonalDataPeople(500), High),
        Floor(FloorFact::AdministratorCredentials, High),
    ],
    areas: &[
        AreaRules {
            area: Area::Service,
            effect_on: "services",
            question: "whether a service was affected",
            meanings: [
                "no service was affected",
                "a service was impaired but stayed usable",
                "part of a service failed",
                "an important service failed",
                "the services that the organization cannot work without failed",
            ],
        },
        AreaRules {
            area: Area::Data,
            effect_on: "data",
            question: "whether data was affected",
            meanings: [
                "no data was affected",
                "data of little value was disclosed, altered or lost",
                "internal data was disclosed, altered or lost",
                "confidential data was disclosed, altered or lost",
                "the organization's most critical data was disclosed, altered or lost",
            ],
        },
        AreaRules {
            area: Area::People,
            effect_on: "people's safety",
            question: "whether anybody was in danger",
            meanings: [
                "nobody was in danger",
                "people were inconvenienced but not in danger",
                "people were put at risk",
                "somebody was hurt",
                "somebody died or was in mortal danger",
            ],
        },
        AreaRules {
            area: Area::Money,
            effect_on: "finances",
            question: "how large the financial loss is",
            meanings: [
                "there is no financial loss",
                "the financial loss is small",
                "the financial loss is considerable",
                "the financial loss is large",
                "the financial loss threatens the organization's existence",
            ],
        },
        AreaRules {
            area: Area::Legal,
            effect_on: "legal obligations",
            question: "whether there are legal consequences",
            meanings: [
                "there are no legal consequences",
                "an internal rule was broken",
                "a contract was breached",
                "the incident must be reported to an authority",
                "the organization could be prosecuted or lose a licence",
            ],
        },
        AreaRules {
            area: Area::Reputation,
            effect_on: "reputation",
            question: "whether the organization's reputation suffered",
            meanings: [
                "nobody outside the organization noticed it",
                "a few customers or partners noticed it",
                "customers or partners complained",
                "the media reported on the incident",
                "the organization lost the trust of the public",
            ],
        },
    ],
};

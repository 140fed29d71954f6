//! Answers as the text that an incident keeps: a JSON object in the form in which answers are sent, with the rule set
//! and without what is unknown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use super::answers::{Answers, Rules};
use super::bailiwick::{self, Area, Impact};
use super::cisa;
use super::ruleset::Ruleset;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    ruleset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    impact: Option<BTreeMap<String, i64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    urgency: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    personal_data_people: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    administrator_credentials: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    factors: Option<BTreeMap<String, String>>,
}

impl Answers {
    /// The answers as an incident stores them.
    pub fn to_stored(&self) -> String {
        // Texts, numbers and maps with text keys: serializing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    fn stored(&self) -> Stored {
        let ruleset = self.ruleset().as_str().to_owned();
        match self {
            Self::Bailiwick(_, answers) => Stored {
                ruleset,
                impact: Some(
                    Area::ALL
                        .iter()
                        .filter_map(|area| {
                            Some((area.as_str().to_owned(), i64::from(answers.impact.get(*area)?.get())))
                        })
                        .collect(),
                ),
                urgency: answers.urgency.map(|urgency| urgency.as_str().to_owned()),
                personal_data_people: answers.personal_data_people,
                administrator_credentials: answers.administrator_credentials,
                factors: None,
            },
            Self::Cisa(_, answers) => Stored {
                ruleset,
                impact: None,
                urgency: None,
                personal_data_people: None,
                administrator_credentials: None,
                factors: Some(
                    factors(answers)
                        .into_iter()
                        .filter_map(|(name, word)| Some((name.to_owned(), word?.to_owned())))
                        .collect(),
                ),
            },
        }
    }

    /// Reads stored answers. `None` if this release does not know them: a newer one beside it may have stored them.
    pub fn from_stored(text: &str) -> Option<Self> {
        let stored: Stored = serde_json::from_str(text).ok()?;
        match Ruleset::parse(&stored.ruleset)?.rules() {
            Rules::Bailiwick(rules) if stored.factors.is_none() => {
                Some(Self::Bailiwick(rules, bailiwick_answers(&stored)?))
            }
            Rules::Cisa(rules) if stored.has_factors_only() => {
                Some(Self::Cisa(rules, cisa_answers(stored.factors.unwrap_or_default())?))
            }
            _ => None,
        }
    }
}

impl Serialize for Answers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.stored().serialize(serializer)
    }
}

impl Stored {
    fn has_factors_only(&self) -> bool {
        self.impact.is_none()
            && self.urgency.is_none()
            && self.personal_data_people.is_none()
            && self.administrator_credentials.is_none()
    }
}

fn bailiwick_answers(stored: &Stored) -> Option<bailiwick::Answers> {
    let mut answers = bailiwick::Answers {
        personal_data_people: stored.personal_data_people,
        administrator_credentials: stored.administrator_credentials,
        ..bailiwick::Answers::default()
    };
    for (area, impact) in stored.impact.iter().flatten() {
        *answers.impact.get_mut(Area::parse(area)?) = Some(Impact::new(*impact)?);
    }
    if let Some(urgency) = &stored.urgency {
        answers.urgency = Some(bailiwick::Urgency::parse(urgency)?);
    }
    Some(answers)
}

/// Each factor with its word.
fn factors(it: &cisa::Answers) -> [(&'static str, Option<&'static str>); 8] {
    [
        ("functional_impact", it.functional_impact.map(cisa::FunctionalImpact::as_str)),
        ("observed_activity", it.observed_activity.map(cisa::ObservedActivity::as_str)),
        ("location", it.location.map(cisa::Location::as_str)),
        ("actor", it.actor.map(cisa::Actor::as_str)),
        ("information_impact", it.information_impact.map(cisa::InformationImpact::as_str)),
        ("recoverability", it.recoverability.map(cisa::Recoverability::as_str)),
        ("cross_sector_dependency", it.cross_sector_dependency.map(cisa::Sector::as_str)),
        ("potential_impact", it.potential_impact.map(cisa::PotentialImpact::as_str)),
    ]
}

fn cisa_answers(factors: BTreeMap<String, String>) -> Option<cisa::Answers> {
    let mut it = cisa::Answers::default();
    for (name, word) in factors {
        match name.as_str() {
            "functional_impact" => it.functional_impact = Some(cisa::FunctionalImpact::parse(&word)?),
            "observed_activity" => it.observed_activity = Some(cisa::ObservedActivity::parse(&word)?),
            "location" => it.location = Some(cisa::Location::parse(&word)?),
            "actor" => it.actor = Some(cisa::Actor::parse(&word)?),
            "information_impact" => it.information_impact = Some(cisa::InformationImpact::parse(&word)?),
            "recoverability" => it.recoverability = Some(cisa::Recoverability::parse(&word)?),
            "cross_sector_dependency" => it.cross_sector_dependency = Some(cisa::Sector::parse(&word)?),
            "potential_impact" => it.potential_impact = Some(cisa::PotentialImpact::parse(&word)?),
            _ => return None,
        }
    }
    Some(it)
}

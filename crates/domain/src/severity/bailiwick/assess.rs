//! The assessment: the level that the rules give, and why.

use super::answers::{Answers, Area};
use super::findings::Findings;
use super::rules::Rules;
use super::wording;
use crate::severity::Assessment;

impl Rules {
    /// The severity that these rules give, and why.
    pub fn assess(&'static self, answers: &Answers) -> Assessment {
        let findings = Findings::of(self, answers);
        Assessment {
            ruleset: self.ruleset,
            severity: findings.severity,
            reasoning: wording::reasoning(&findings),
            score: None,
            factors: findings.factors(),
            missing: missing(answers),
            range: findings.range,
        }
    }
}

/// The names of the questions without an answer.
fn missing(answers: &Answers) -> Vec<&'static str> {
    let areas =
        Area::ALL.iter().filter(|area| answers.impact.get(**area).is_none()).map(|area| area.as_str());
    let facts = [
        ("urgency", answers.urgency.is_none()),
        ("personal_data_people", answers.personal_data_people.is_none()),
        ("administrator_credentials", answers.administrator_credentials.is_none()),
    ];
    areas.chain(facts.into_iter().filter(|fact| fact.1).map(|fact| fact.0)).collect()
}

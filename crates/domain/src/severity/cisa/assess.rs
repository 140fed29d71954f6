//! The assessment: the level that the score gives, and why.

use super::answers::Answers;
use super::rules::Rules;
use super::wording;
use crate::severity::{Assessment, Factor, FactorValue};

impl Rules {
    /// The severity that these rules give, and why.
    pub fn assess(&self, answers: &Answers) -> Assessment {
        let found = self.findings(answers);
        let factors = found.rows.iter().filter_map(|row| {
            let (word, meaning) = row.answer?;
            let decides = found.main.contains(row);
            let (value, sentence) = (FactorValue::Word(word), meaning.to_owned());
            Some(Factor { name: row.name, value, sentence, decides })
        });
        Assessment {
            ruleset: self.ruleset,
            severity: found.severity,
            reasoning: wording::reasoning(&found),
            score: Some(found.score),
            factors: factors.collect(),
            missing: found.unknown().map(|row| row.name).collect(),
            range: found.range,
        }
    }
}

//! An assessment as responses show it.

use domain::severity::{Assessment, Factor, FactorValue, Range, Ruleset, Score, Severity};
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

/// The explanation of the severity in the examples.
pub(crate) const REASONING: &str = "High, because an important service failed; that the incident is contained does not lower the \
    level. Only the effects on services and people's safety are known so far, not whether administrator credentials \
    were compromised; the rest could raise the level to critical.";

/// A severity with everything that explains it.
#[derive(Serialize, ToSchema, View)]
#[schema(as = SeverityAssessment, examples(json!({
    "severity": "high",
    "factors": [
        {"name": "service", "value": 3, "sentence": "An important service failed.", "decides": true},
        {"name": "people", "value": 0, "sentence": "Nobody was in danger.", "decides": false},
        {"name": "urgency", "value": "contained", "sentence": "The incident is contained.", "decides": true},
        {"name": "personal_data_people", "value": 0, "sentence": "No personal data was affected.", "decides": false},
    ],
    "missing": ["data", "money", "legal", "reputation", "administrator_credentials"],
    "range": {"best": "high", "worst": "critical"},
})))]
#[view(Assessment)]
pub(crate) struct AssessmentView {
    /// The rules, with their version.
    ruleset: RulesetView,
    /// The level that the known answers give.
    severity: SeverityView,
    /// The level, the answers that decided it and what is unknown, in sentences.
    #[schema(max_length = 65536, examples(json!(REASONING)))]
    #[view(it.reasoning)]
    severity_reasoning: String,
    /// The score, if the rule set has one.
    #[schema(minimum = 0, maximum = 100)]
    #[view(it.score.map(|Score(hundredths)| f64::from(hundredths) / 100.0))]
    score: Option<f64>,
    /// The known answers, in the order of the questions.
    #[schema(max_items = 9)]
    factors: Vec<FactorView>,
    /// The names of the questions without an answer.
    #[schema(max_items = 9, max_length = 80)]
    missing: Vec<&'static str>,
    /// What the severity can become when the missing answers are given.
    range: RangeView,
}

/// A known answer.
#[derive(Serialize, ToSchema)]
#[schema(as = SeverityFactor)]
struct FactorView {
    /// The name of the question.
    #[schema(max_length = 80, examples("service"))]
    name: &'static str,
    /// The answer.
    value: FactorValueView,
    /// The answer as a sentence.
    #[schema(max_length = 200, examples("An important service failed."))]
    sentence: String,
    /// Whether the level is based on it.
    decides: bool,
}

/// An answer: a number, a word, or yes or no.
#[derive(Serialize, ToSchema)]
#[schema(as = SeverityFactorValue)]
#[serde(untagged)]
enum FactorValueView {
    /// An impact, or a number of people.
    Number(u64),
    /// A word of a closed list.
    Word(AnswerWord),
    /// Yes or no.
    Flag(bool),
}

/// A word of a closed list.
#[derive(Serialize, ToSchema)]
#[schema(max_length = 80)]
struct AnswerWord(&'static str);

/// The lowest and the highest severity that are possible once every question is answered.
#[derive(Serialize, ToSchema)]
#[schema(as = SeverityRange)]
struct RangeView {
    /// The lowest.
    best: SeverityView,
    /// The highest.
    worst: SeverityView,
}

type RulesetView = OneOf<Ruleset>;
type SeverityView = OneOf<Severity>;

impl From<Factor> for FactorView {
    fn from(it: Factor) -> Self {
        let value = match it.value {
            FactorValue::Number(number) => FactorValueView::Number(number),
            FactorValue::Word(word) => FactorValueView::Word(AnswerWord(word)),
            FactorValue::Flag(flag) => FactorValueView::Flag(flag),
        };
        Self { name: it.name, value, sentence: it.sentence, decides: it.decides }
    }
}

impl From<Range> for RangeView {
    fn from(it: Range) -> Self {
        Self { best: it.best.into(), worst: it.worst.into() }
    }
}

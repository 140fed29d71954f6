//! An assessment as responses show it.

use domain::severity::{Assessment, Factor, FactorValue, Range, Ruleset, Score, Severity};
use http::word::OneOf;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

/// A severity with everything that explains it.
#[derive(Serialize, ToSchema, View)]
#[schema(as = SeverityAssessment)]
#[view(Assessment)]
pub(crate) struct AssessmentView {
    /// The rules, with their version.
    ruleset: RulesetView,
    /// The level that the known answers give.
    severity: SeverityView,
    /// The level, the answers that decided it and what is unknown, in sentences.
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
    #[schema(max_items = 9)]
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
    Word(&'static str),
    /// Yes or no.
    Flag(bool),
}

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
            FactorValue::Word(word) => FactorValueView::Word(word),
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

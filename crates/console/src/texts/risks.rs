//! Texts of the pages about risks.

use std::fmt::Display;

use domain::performance::Exclusion;

pub(crate) const BASIS_INHERENT: &str = "inherent rating (before controls)";
pub(crate) const BASIS_CURRENT: &str = "current rating (latest evaluation)";
pub(crate) const BASIS_TARGET: &str = "target rating";
pub(crate) const ABOVE_INHERENT: &str = "Above the inherent rating";
pub(crate) const ABOVE_PREVIOUS: &str = "Above the previous evaluation";
pub(crate) const EVALUATION: &str = "Evaluation";
pub(crate) const EVALUATION_OVERDUE: &str = "Evaluation overdue";
pub(crate) const WITHIN_30_DAYS: &str = "Within 30 days";
pub(crate) const RISK_REVIEWED: &str = "Review recorded.";
pub(crate) const INHERENT: &str = "Inherent";
pub(crate) const PREVIOUS: &str = "Previous";
pub(crate) const INHERENT_LIKELIHOOD: &str = "Inherent likelihood (before controls)";
pub(crate) const INHERENT_IMPACT: &str = "Inherent impact (before controls)";
pub(crate) const TARGET_LIKELIHOOD: &str = "Target likelihood";
pub(crate) const TARGET_IMPACT: &str = "Target impact";
pub(crate) const TREATMENT: &str = "Treatment";
pub(crate) const CONTROL: &str = "Control";
pub(crate) const BAND: &str = "Band";
pub(crate) const BANDS: &str = "Bands";
pub(crate) const LIKELIHOOD: &str = "Likelihood";
pub(crate) const IMPACT: &str = "Impact";
pub(crate) const UNTICK_WHO_HAS_LEFT: &str = "A person who has left cannot accept risks. Untick the name.";
pub(crate) const GROUP_WAS_DELETED: &str = "This group was deleted. Choose another one, or “None”.";
pub(crate) const SCALE_CHANGED: &str = "Scale changed.";
pub(crate) const SCALE_NOT_PREVIEWED: &str =
    "You have changed this since the preview. It is not saved yet: check below what it does now, then save.";
pub(crate) const EVALUATE: &str = "Evaluate";
pub(crate) const LIKELIHOOD_WITHIN_A_YEAR: &str = "Likelihood within a year";
pub(crate) const RATE: &str = "Set the likelihood, then the impact, while evaluating several risks";
pub(crate) const WRITE_RATIONALE: &str = "Write the rationale, while evaluating several risks";
pub(crate) const SKIP_RISK: &str = "Skip the risk, while evaluating several";
pub(crate) const PREVIOUS_RISK: &str = "Previous risk, while evaluating several";
pub(crate) const NOTHING_TO_EVALUATE: &str = "No open risk to evaluate.";

pub(crate) fn risk_added(number: impl Display) -> String {
    format!("{number} added.")
}

/// Of the external reference of a risk.
pub(crate) fn reference_of(risk: impl Display) -> String {
    format!("{risk} has this reference")
}

pub(crate) fn evaluated(number: impl Display) -> String {
    format!("{number} evaluated.")
}

/// The same of the last one of a round.
pub(crate) fn evaluated_last(number: impl Display, count: usize) -> String {
    format!("{number} evaluated, the last of {count}.")
}

/// Of a risk that was deleted during a round.
pub(crate) fn risk_gone(number: impl Display) -> String {
    format!("{number} is no longer there. Its evaluation was not saved.")
}

/// A cell of the heat map: `possible and major`.
pub(crate) fn both(likelihood: &str, impact: &str) -> String {
    format!("{likelihood} and {impact}")
}

/// What the line of the performance shows: per cent and day of its first and its last point.
pub(crate) fn performance_line((first, begin): (i64, &str), (last, end): (i64, &str)) -> String {
    format!("From {first} % on {begin} to {last} % on {end}.")
}

/// Why a risk is left out of the performance.
pub(crate) fn excluded_for(why: Exclusion) -> &'static str {
    match why {
        Exclusion::Deleted => "deleted",
        Exclusion::NoTarget => "no target",
        Exclusion::NeverEvaluated => "never evaluated",
        Exclusion::NotEvaluatedInWindow => "not evaluated in the period",
    }
}

/// What the chart of a risk shows: its first and its last score with their days, and the scores beside them.
pub(crate) fn chart(
    (first, begin): (i64, String),
    (last, end): (i64, String),
    inherent: i64,
    target: Option<i64>,
) -> String {
    let target = target.map_or_else(|| "no target".to_owned(), |target| format!("target {target}"));
    format!("From {first} on {begin} to {last} on {end}. Inherent {inherent}, {target}.")
}

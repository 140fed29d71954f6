//! The levels that the forms of risks let people choose.

use domain::risk::Rating;
use domain::scale::{Scale, ScaleContent, ScaleLevel};

use crate::frame::form::Form;
use crate::texts;

/// A level to choose: the name of the field, its label, whether it must be chosen, and the levels with their names.
pub(super) struct Choice {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) is_required: bool,
    pub(super) levels: Vec<(i64, String)>,
}

impl Choice {
    pub(super) fn attributes(&self) -> &'static str {
        if self.is_required { "required" } else { "" }
    }

    pub(super) fn note(&self) -> &'static str {
        if self.is_required { "" } else { "(optional)" }
    }
}

/// The ratings that are chosen when a risk is added, changed or rated by another scale.
pub(super) fn choices(scale: &Scale, is_required: bool) -> [Choice; 4] {
    let ScaleContent { likelihood, impact, .. } = &scale.content;
    let choice = |name, label, is_required, of| Choice { name, label, is_required, levels: levels(of) };
    [
        choice("inherent_likelihood", texts::INHERENT_LIKELIHOOD, is_required, likelihood),
        choice("inherent_impact", texts::INHERENT_IMPACT, is_required, impact),
        choice("target_likelihood", texts::TARGET_LIKELIHOOD, false, likelihood),
        choice("target_impact", texts::TARGET_IMPACT, false, impact),
    ]
}

/// What an evaluation judges: the name of the field, its label, the levels with their names, the chosen one, and the id of what has
/// the focus after a choice by a key.
pub(super) struct Judged {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) levels: Vec<(i64, String)>,
    pub(super) chosen: Option<i64>,
    pub(super) next: &'static str,
}

impl Judged {
    pub(super) fn is_chosen(&self, level: &i64) -> bool {
        self.chosen == Some(*level)
    }
}

/// What an evaluation judges. The levels that the form has are chosen, or else those of a rating.
pub(super) fn judged(scale: &Scale, form: &Form, rating: Option<Rating>) -> [Judged; 2] {
    let ScaleContent { likelihood, impact, .. } = &scale.content;
    let judged = |name, label, of, level, next| {
        let chosen = if form.has(name) { form.text(name).parse().ok() } else { level };
        Judged { name, label, levels: levels(of), chosen, next }
    };
    let (now_likelihood, now_impact) = (rating.map(|it| it.likelihood), rating.map(|it| it.impact));
    [
        judged("likelihood", texts::LIKELIHOOD_WITHIN_A_YEAR, likelihood, now_likelihood, "impact"),
        judged("impact", texts::IMPACT, impact, now_impact, "save"),
    ]
}

/// Levels with their names, the highest first.
pub(super) fn levels(of: &[ScaleLevel]) -> Vec<(i64, String)> {
    let mut levels: Vec<_> = (1..).zip(of).map(|(level, it)| (level, it.name.to_string())).collect();
    levels.reverse();
    levels
}

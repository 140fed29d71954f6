//! The severity of a stored incident: by answers or by a person.

use super::answers::Answers;
use super::assessment::Assessment;
use super::level::{Severity, SeveritySource};
use crate::fault::FaultCode;
use crate::json::Fields;
use crate::text::Prose;

/// A severity with its origin, as an incident stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedSeverity {
    /// The level.
    pub severity: Severity,
    /// Why: the reasoning of the assessment, or the reason of the person who set it.
    pub reasoning: Option<Prose>,
    /// How it came about; none before the first assessment.
    pub source: Option<SeveritySource>,
    /// The latest answers as [`Answers::to_stored`] writes them.
    pub answers: Option<String>,
}

impl StatedSeverity {
    /// That of an incident which nobody has judged yet.
    pub fn undetermined() -> Self {
        Self { severity: Severity::Undetermined, reasoning: None, source: None, answers: None }
    }

    /// The severity that the rules give to answers.
    pub fn computed(answers: &Answers) -> Self {
        let assessment = answers.assess();
        Self {
            severity: assessment.severity,
            reasoning: Some(Prose::stored(assessment.reasoning)),
            source: Some(SeveritySource::Computed),
            answers: Some(answers.to_stored()),
        }
    }

    /// A severity that a person decided on, with the reason: It has no answers of its own.
    pub fn manual(severity: Severity, reason: Prose) -> Self {
        Self { severity, reasoning: Some(reason), source: Some(SeveritySource::Manual), answers: None }
    }

    /// The severity of an incident after it was `before`: one without answers keeps those before.
    pub fn after(self, before: Self) -> Self {
        Self { answers: self.answers.or(before.answers), ..self }
    }

    /// What the rules make of the answers: the severity itself, or the one beside a manual severity. None without
    /// answers, or with answers of a newer release.
    pub fn assessment(&self) -> Option<Assessment> {
        Some(Answers::from_stored(self.answers.as_deref()?)?.assess())
    }
}

/// Neither a severity nor its reasoning is sent alone.
pub fn check_explained(fields: &mut Fields<'_, '_>, _: Option<&Severity>) {
    let [severity, reasoning] = ["severity", "severity_reasoning"].map(|name| fields.was_sent(name));
    if severity != reasoning {
        let missing = if severity { "severity_reasoning" } else { "severity" };
        fields.fault(missing, FaultCode::Required, "is required");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::severity::Ruleset;
    use crate::severity::bailiwick::{self, Impact, Impacts};

    fn answers(service: i64) -> Answers {
        let impact = Impacts { service: Impact::new(service), ..Impacts::default() };
        let answers = bailiwick::Answers { impact, ..bailiwick::Answers::default() };
        Answers::Bailiwick(&bailiwick::BAILIWICK_1, answers)
    }

    fn manual(severity: Severity) -> StatedSeverity {
        StatedSeverity::manual(severity, "The board decided so.".into())
    }

    #[test]
    fn answers_give_the_computed_severity_with_its_reasoning() {
        let set = StatedSeverity::computed(&answers(2)).after(StatedSeverity::undetermined());
        assert_eq!((set.severity, set.source), (Severity::High, Some(SeveritySource::Computed)));
        let assessment = set.assessment().unwrap();
        assert_eq!(set.reasoning.as_deref(), Some(assessment.reasoning.as_str()));
        assert_eq!((assessment.clone(), assessment.ruleset), (answers(2).assess(), Ruleset::Bailiwick1));
    }

    #[test]
    fn a_manual_severity_keeps_the_computed_one_beside_it() {
        let computed = StatedSeverity::computed(&answers(2));
        let set = manual(Severity::Low).after(computed.clone());
        assert_eq!((set.severity, set.source), (Severity::Low, Some(SeveritySource::Manual)));
        assert_eq!(set.reasoning.as_deref(), Some("The board decided so."));
        assert_eq!(set.assessment(), computed.assessment());
        let again = StatedSeverity::computed(&answers(4)).after(set);
        assert_eq!((again.severity, again.source), (Severity::Critical, Some(SeveritySource::Computed)));
        assert_eq!(again.assessment(), Some(answers(4).assess()));
    }

    #[test]
    fn a_manual_severity_needs_no_answers() {
        let set = manual(Severity::Medium).after(StatedSeverity::undetermined());
        assert_eq!((set.severity, set.answers.as_ref(), set.assessment()), (Severity::Medium, None, None));
    }

    #[test]
    fn answers_of_a_newer_release_are_kept_and_not_assessed() {
        let newer = Some(r#"{"ruleset":"bailiwick-9","weather":3}"#.to_owned());
        let stored = StatedSeverity {
            severity: Severity::High,
            answers: newer.clone(),
            ..StatedSeverity::undetermined()
        };
        assert_eq!(stored.assessment(), None);
        assert_eq!(manual(Severity::Low).after(stored).answers, newer);
    }
}

//! The severity of a stored incident: by answers or by a person.

use super::assessment::Assessment;
use super::level::{Severity, SeveritySource};
use super::ruleset::Answers;
use crate::fault::Faults;
use crate::text;

/// The fields of an incident that say how severe it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncidentSeverity {
    /// The level.
    pub severity: Severity,
    /// Why: the reasoning of the assessment, or the reason of the person who set it.
    pub reasoning: Option<String>,
    /// How it came about; none before the first assessment.
    pub source: Option<SeveritySource>,
    /// The latest answers as [`Answers::to_stored`] writes them. A manual severity leaves them.
    pub answers: Option<String>,
}

/// What a caller sends to set the severity of an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeverityInput {
    /// Answers, of which the rules compute the severity.
    Answers(Answers),
    /// A severity that a person decided on.
    Manual {
        /// The level.
        severity: Severity,
        /// Why; see [`manual_reason`].
        reason: String,
    },
}

impl Default for IncidentSeverity {
    /// That of a new incident.
    fn default() -> Self {
        Self { severity: Severity::Undetermined, reasoning: None, source: None, answers: None }
    }
}

impl IncidentSeverity {
    /// The fields after `input`.
    pub fn with(self, input: SeverityInput) -> Self {
        match input {
            SeverityInput::Answers(answers) => {
                let assessment = answers.assess();
                Self {
                    severity: assessment.severity,
                    reasoning: Some(assessment.reasoning),
                    source: Some(SeveritySource::Computed),
                    answers: Some(answers.to_stored()),
                }
            }
            SeverityInput::Manual { severity, reason } => Self {
                severity,
                reasoning: Some(reason),
                source: Some(SeveritySource::Manual),
                answers: self.answers,
            },
        }
    }

    /// What the rules make of the stored answers: the severity itself, or the one beside a manual severity. None
    /// without answers, or with answers of a newer release.
    pub fn computed(&self) -> Option<Assessment> {
        Some(Answers::from_stored(self.answers.as_deref()?)?.assess())
    }
}

/// Checks the reason of a manual severity.
pub fn manual_reason(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_prose(text, pointer, faults);
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

    fn manual(severity: Severity) -> SeverityInput {
        SeverityInput::Manual { severity, reason: "The board decided so.".to_owned() }
    }

    #[test]
    fn answers_give_the_computed_severity_with_its_reasoning() {
        let new = IncidentSeverity::default();
        assert_eq!((new.severity, new.source, new.computed()), (Severity::Undetermined, None, None));
        let set = new.with(SeverityInput::Answers(answers(2)));
        assert_eq!((set.severity, set.source), (Severity::High, Some(SeveritySource::Computed)));
        let computed = set.computed().unwrap();
        assert_eq!(set.reasoning.as_deref(), Some(computed.reasoning.as_str()));
        assert_eq!(computed, answers(2).assess());
        assert_eq!(computed.ruleset, Ruleset::Bailiwick1);
    }

    #[test]
    fn a_manual_severity_keeps_the_computed_one_beside_it() {
        let computed = IncidentSeverity::default().with(SeverityInput::Answers(answers(2)));
        let set = computed.clone().with(manual(Severity::Low));
        assert_eq!((set.severity, set.source), (Severity::Low, Some(SeveritySource::Manual)));
        assert_eq!(set.reasoning.as_deref(), Some("The board decided so."));
        assert_eq!(set.computed(), computed.computed());
        let again = set.with(SeverityInput::Answers(answers(4)));
        assert_eq!((again.severity, again.source), (Severity::Critical, Some(SeveritySource::Computed)));
    }

    #[test]
    fn a_manual_severity_needs_no_answers() {
        let set = IncidentSeverity::default().with(manual(Severity::Medium));
        assert_eq!((set.severity, set.answers.as_ref(), set.computed()), (Severity::Medium, None, None));
    }

    #[test]
    fn answers_of_a_newer_release_are_kept_and_not_computed() {
        let newer = Some(r#"{"ruleset":"bailiwick-9","weather":3}"#.to_owned());
        let stored =
            IncidentSeverity { severity: Severity::High, answers: newer.clone(), ..Default::default() };
        assert_eq!(stored.computed(), None);
        assert_eq!(stored.with(manual(Severity::Low)).answers, newer);
    }

    #[test]
    fn a_reason_is_not_blank() {
        let mut faults = Faults::new();
        manual_reason("The board decided so.", "#/reason", &mut faults);
        assert!(faults.is_empty());
        manual_reason(" ", "#/reason", &mut faults);
        assert_eq!(faults.len(), 1);
    }
}

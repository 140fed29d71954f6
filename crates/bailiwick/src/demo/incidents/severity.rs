//! How severe incidents were found.

use domain::severity::bailiwick::{Answers as Given, Area, BAILIWICK_1, Impact, Impacts, Urgency};
use domain::severity::{Answers, Severity, StatedSeverity};

/// How severe an incident was found.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Judgement {
    /// A person said so, with the reason.
    Stated(Severity, &'static str),
    /// The rules computed it from answers.
    Answered(&'static Answered),
}

/// Answers to the questions of Bailiwick's own rules.
#[derive(Debug)]
pub(in super::super) struct Answered {
    /// The impact on areas, from 0 to 4; what is not named is unknown.
    pub(super) impact: &'static [(Area, i64)],
    /// Whether it was still doing harm.
    pub(super) urgency: Urgency,
    /// The number of people whose personal data is affected.
    pub(super) personal_data_people: Option<u64>,
    /// Whether administrator credentials were compromised.
    pub(super) administrator_credentials: Option<bool>,
}

/// A severity that a person stated.
pub(super) const fn stated(severity: Severity, reason: &'static str) -> Judgement {
    Judgement::Stated(severity, reason)
}

impl Judgement {
    /// The severity as an incident takes it.
    pub(in super::super) fn severity(&self) -> StatedSeverity {
        match self {
            Self::Stated(severity, reason) => StatedSeverity::manual(*severity, (*reason).to_owned()),
            Self::Answered(answered) => {
                StatedSeverity::computed(&Answers::Bailiwick(&BAILIWICK_1, answered.given()))
            }
        }
    }
}

impl Answered {
    fn given(&self) -> Given {
        let mut impact = Impacts::default();
        for (area, value) in self.impact {
            *impact.get_mut(*area) = Impact::new(*value);
        }
        Given {
            impact,
            urgency: Some(self.urgency),
            personal_data_people: self.personal_data_people,
            administrator_credentials: self.administrator_credentials,
        }
    }
}

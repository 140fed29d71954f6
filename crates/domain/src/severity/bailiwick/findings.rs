//! The level that the rules give, and what decided it.

use super::answers::{Answers, Area, Impact, Urgency};
use super::clauses;
use super::rules::{AreaRules, Floor, FloorFact, Rules};
use crate::severity::{Factor, FactorValue, Range, Severity, phrase};

/// The answers with what the rules make of them, before it is put into words.
pub(super) struct Findings<'a> {
    pub(super) rules: &'static Rules,
    pub(super) answers: &'a Answers,
    pub(super) severity: Severity,
    pub(super) range: Range,
    pub(super) decision: Decision,
}

/// What decided the level.
pub(super) enum Decision {
    /// Nothing: no impact is known, and no floor applies.
    Nothing,
    /// Floors that are above the level by the table.
    Floors(Vec<&'static Floor>),
    /// The highest impact, which is that on these areas, with the floors that give the same level.
    Table { highest: Impact, areas: Vec<&'static AreaRules>, floors: Vec<&'static Floor> },
}

impl Rules {
    pub(super) fn severity(&'static self, answers: &Answers) -> Severity {
        let floors = self.floors_of(answers).map(|floor| floor.1);
        floors.chain(self.by_table(answers)).max().unwrap_or(Severity::Undetermined)
    }

    /// The level by the table; none if no impact is known.
    pub(super) fn by_table(&self, answers: &Answers) -> Option<Severity> {
        Some(self.level(answers.impact.highest()?, answers.urgency.unwrap_or(Urgency::Spreading)))
    }

    fn floors_of(&'static self, answers: &Answers) -> impl Iterator<Item = &'static Floor> {
        self.floors.iter().filter(|floor| floor.0.applies(answers))
    }
}

impl FloorFact {
    fn applies(&self, answers: &Answers) -> bool {
        match *self {
            Self::People(least) => answers.impact.people.is_some_and(|impact| impact.get() >= least),
            Self::PersonalDataPeople(least) => {
                answers.personal_data_people.is_some_and(|people| people >= least)
            }
            Self::AdministratorCredentials => answers.administrator_credentials == Some(true),
        }
    }

    /// The name of the question that the fact answers.
    fn name(&self) -> &'static str {
        match self {
            Self::People(_) => Area::People.as_str(),
            Self::PersonalDataPeople(_) => "personal_data_people",
            Self::AdministratorCredentials => "administrator_credentials",
        }
    }
}

impl<'a> Findings<'a> {
    pub(super) fn of(rules: &'static Rules, answers: &'a Answers) -> Self {
        let severity = rules.severity(answers);
        let range =
            Range { best: rules.severity(&answers.at_best()), worst: rules.severity(&answers.at_worst()) };
        let decision = Decision::of(rules, answers, severity);
        Self { rules, answers, severity, range, decision }
    }

    /// The areas whose impact is known, or those whose impact is not.
    pub(super) fn areas(&self, known: bool) -> Vec<&'static AreaRules> {
        let is_asked = |row: &&AreaRules| self.answers.impact.get(row.area).is_some() == known;
        self.rules.areas.iter().filter(is_asked).collect()
    }

    /// Whether the decision says of every known impact what it is.
    pub(super) fn names_every_effect(&self) -> bool {
        let known = self.areas(true);
        !known.is_empty() && known.len() <= 2 && known.iter().all(|row| self.decides(row.area.as_str()))
    }

    fn decides(&self, name: &str) -> bool {
        match &self.decision {
            Decision::Nothing => false,
            Decision::Floors(floors) => floors.iter().any(|floor| floor.0.name() == name),
            Decision::Table { highest, areas, floors } => {
                areas.iter().any(|row| row.area.as_str() == name)
                    || floors.iter().any(|floor| floor.0.name() == name)
                    || name == "urgency" && *highest > Impact::NONE
            }
        }
    }

    pub(super) fn factors(&self) -> Vec<Factor> {
        let answers = self.answers;
        let factor = |name, value, clause: &str| {
            let sentence = phrase::sentence(clause);
            Factor { name, value, sentence, decides: self.decides(name) }
        };
        let areas = self.rules.areas.iter().filter_map(|row| {
            let impact = answers.impact.get(row.area)?;
            let value = FactorValue::Number(impact.get().into());
            Some(factor(row.area.as_str(), value, row.meaning(impact)))
        });
        let urgency = answers
            .urgency
            .map(|urgency| factor("urgency", FactorValue::Word(urgency.as_str()), clauses::urgency(urgency)));
        let people = answers.personal_data_people.map(|people| {
            factor("personal_data_people", FactorValue::Number(people), &clauses::personal_data(people))
        });
        let credentials = answers.administrator_credentials.map(|lost| {
            factor("administrator_credentials", FactorValue::Flag(lost), clauses::credentials(lost))
        });
        areas.chain(urgency).chain(people).chain(credentials).collect()
    }
}

impl Decision {
    fn of(rules: &'static Rules, answers: &Answers, severity: Severity) -> Self {
        let floors = rules.floors_of(answers).filter(|floor| floor.1 == severity).collect();
        let Some(highest) = answers.impact.highest().filter(|_| rules.by_table(answers) == Some(severity))
        else {
            return if severity == Severity::Undetermined { Self::Nothing } else { Self::Floors(floors) };
        };
        let areas: Vec<_> =
            rules.areas.iter().filter(|row| answers.impact.get(row.area) == Some(highest)).collect();
        let is_named = |floor: &Floor| areas.iter().any(|row| row.area.as_str() == floor.0.name());
        let floors = floors.into_iter().filter(|floor| !is_named(floor)).collect();
        Self::Table { highest, areas, floors }
    }
}

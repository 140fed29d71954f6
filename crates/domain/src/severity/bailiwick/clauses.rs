//! The answers as parts of sentences.

use super::answers::{Answers, Area, Urgency};
use super::rules::{Floor, FloorFact, Rules};
use crate::severity::phrase;

pub(super) fn urgency(urgency: Urgency) -> &'static str {
    match urgency {
        Urgency::Spreading => "the incident is still spreading",
        Urgency::Contained => "the incident is contained",
        Urgency::Over => "the incident is over",
    }
}

pub(super) fn personal_data(people: u64) -> String {
    match people {
        0 => "no personal data was affected".to_owned(),
        people => format!("{} was affected", personal_data_of(people)),
    }
}

fn personal_data_of(people: u64) -> String {
    match people {
        1 => "the personal data of one person".to_owned(),
        people => format!("the personal data of {} people", phrase::number(people)),
    }
}

pub(super) fn credentials(compromised: bool) -> &'static str {
    match compromised {
        true => "administrator credentials were compromised",
        false => "no administrator credentials were compromised",
    }
}

impl Floor {
    /// The answer that this floor is about, as a clause.
    pub(super) fn clause(&self, rules: &Rules, answers: &Answers) -> String {
        match self.0 {
            FloorFact::People(_) => {
                let row = rules.areas.iter().find(|row| row.area == Area::People);
                let meaning = row.zip(answers.impact.people).map(|(row, impact)| row.meaning(impact));
                meaning.unwrap_or_default().to_owned()
            }
            FloorFact::PersonalDataPeople(_) => {
                personal_data(answers.personal_data_people.unwrap_or_default())
            }
            FloorFact::AdministratorCredentials => credentials(true).to_owned(),
        }
    }

    /// The same as a noun phrase.
    pub(super) fn noun(&self, answers: &Answers) -> String {
        match self.0 {
            FloorFact::People(_) => "the harm to people".to_owned(),
            FloorFact::PersonalDataPeople(_) => {
                personal_data_of(answers.personal_data_people.unwrap_or_default())
            }
            FloorFact::AdministratorCredentials => "the loss of administrator credentials".to_owned(),
        }
    }
}

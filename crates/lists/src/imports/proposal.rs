//! What is proposed for a file, as it is shown and stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workbook::Workbook;

use super::Around;

/// The most columns of a file.
pub(super) const MOST_COLUMNS: usize = 1_024;

/// The most questions about a file.
pub(super) const MOST_QUESTIONS: usize = 2_000;

/// The most characters of a text of the file that is shown.
const MOST_TEXT: usize = 200;

/// What an owner is who is nobody of the organization.
const NOBODY: &str = "nobody";

/// What the id of a question about an owner begins with.
const OWNER: &str = "owner:";

/// What is proposed for a file, with what was chosen and answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The sheet, from 0.
    pub sheet: i64,
    /// The names of all sheets.
    pub sheets: Vec<String>,
    /// The numbers of the header rows, from 1.
    pub header_rows: Vec<i64>,
    /// Why this sheet and these rows.
    pub reason: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// What has to be asked.
    pub questions: Vec<Question>,
}

/// A column of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportColumn)]
pub struct Column {
    /// From 0.
    #[schema(minimum = 0, maximum = 1023)]
    pub index: i64,
    /// Its name in the header.
    #[schema(max_length = 200, examples("Bedrohung"))]
    pub name: String,
    /// The first thing that stands below.
    #[schema(max_length = 200, examples("Feuer"))]
    pub sample: String,
    /// What it is imported as; `block` is a paragraph in the description, `ignore` nothing.
    #[schema(max_length = 40, examples("threat"))]
    pub field: String,
    /// Why.
    #[schema(max_length = 400, examples("The header is a word for it."))]
    pub reason: String,
}

/// Something that the file does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportQuestion)]
pub struct Question {
    /// By which it is answered.
    #[schema(max_length = 400, examples("level:impact:vorstellbar"))]
    pub id: String,
    /// What is asked.
    #[schema(max_length = 400, examples("Which level of impact is “Vorstellbar”?"))]
    pub about: String,
    /// The answer that is taken where there is none.
    #[schema(max_length = 400, examples("3"))]
    pub proposal: String,
    /// The answers that there are; for an owner also the id of any member.
    #[schema(max_items = 20, max_length = 400, examples(json!(["1", "2", "3", "4", "5"])))]
    pub choices: Vec<String>,
    /// The answer; null while there is none.
    #[schema(max_length = 400)]
    pub answer: Option<String>,
}

impl Proposal {
    /// As it is stored.
    pub(super) fn stored(&self) -> String {
        serde_json::json!(self).to_string()
    }

    /// The proposal of an import.
    pub fn of_stored(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

impl Question {
    /// Whether it is about an owner.
    pub fn is_of_owner(&self) -> bool {
        self.id.starts_with(OWNER)
    }

    /// Its id with its answer, or else with what is proposed.
    pub(super) fn settled(self) -> (String, String) {
        (self.id, self.answer.unwrap_or(self.proposal))
    }
}

impl Around {
    /// Whether a text answers a question.
    pub(super) fn is_answer(&self, question: &Question, text: &str) -> bool {
        question.choices.iter().any(|choice| choice == text)
            || question.is_of_owner() && self.with_id(text).is_some()
    }
}

/// The questions of a proposal with the answers. Owners are members of the organization, or nobody.
pub(super) fn questions(
    proposal: &workbook::Proposal,
    around: &Around,
    answers: &BTreeMap<String, String>,
) -> Vec<Question> {
    let question = |question: &workbook::Question| {
        let workbook::Question { id, about, proposal, choices } = question.clone();
        let answer = answers.get(&id).cloned();
        let Some(name) = id.strip_prefix(OWNER) else {
            return Question { id, about, proposal, choices, answer };
        };
        let member = around.member(name).map(|id| id.to_string());
        let choices = std::iter::once(NOBODY.to_owned()).chain(member.clone()).collect();
        Question { about, proposal: member.unwrap_or_else(|| NOBODY.to_owned()), choices, answer, id }
    };
    proposal.questions.iter().take(MOST_QUESTIONS).map(question).collect()
}

/// What is proposed for a workbook.
pub(super) fn of(workbook: &Workbook, proposal: &workbook::Proposal, questions: Vec<Question>) -> Proposal {
    let column = |column: &workbook::Column| Column {
        index: number(column.index),
        name: beginning(&column.name),
        sample: beginning(&column.sample),
        field: column.field.name().to_owned(),
        reason: column.reason.chars().take(400).collect(),
    };
    Proposal {
        sheet: number(proposal.sheet),
        sheets: workbook.sheets().map(|sheet| sheet.name().to_owned()).collect(),
        header_rows: proposal.header_rows.iter().map(|row| i64::from(*row)).collect(),
        reason: proposal.reason.clone(),
        columns: proposal.columns.iter().map(column).collect(),
        questions,
    }
}

fn beginning(text: &str) -> String {
    text.chars().take(MOST_TEXT).collect()
}

fn number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

//! What a file does not say, asked once.

mod found;

use std::collections::BTreeMap;

use crate::columns::column::Column;
use crate::columns::field::{Axis, Field, Kind, Stage};
use crate::header::legend::Legend;
use crate::sheet::Sheet;
use crate::values::choice::{self, Choice};
use crate::values::date::Order;
use crate::values::level::Levels;
use found::Found;

/// Something that a file does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// By which it is answered: `level:impact:vorstellbar`, `stage:residual`, `owner:Head of IT`.
    pub id: String,
    /// What is asked.
    pub about: String,
    /// The answer that is taken if there is none.
    pub proposal: String,
    /// The answers that there are.
    pub choices: Vec<String>,
}

/// Answers by the ids of their questions.
pub type Answers = BTreeMap<String, String>;

impl Question {
    fn new(id: String, about: String, proposal: &str, choices: &[&str]) -> Self {
        let choices = choices.iter().map(ToString::to_string).collect();
        Self { id, about, proposal: proposal.to_owned(), choices }
    }
}

/// What has to be asked about the rows from a position on, and the order of the dates in them.
pub(crate) fn questions(
    sheet: Sheet<'_>,
    first: usize,
    columns: &[Column],
    kind: Kind,
    levels: &Levels,
    legends: &[Legend],
) -> (Vec<Question>, Order) {
    let found = Found::of(sheet, first, columns, (kind, levels));
    let mut questions = stages(columns, kind);
    for axis in [Axis::Likelihood, Axis::Impact] {
        questions.extend(found.scale(axis, levels.of(axis).len()));
        let names: Vec<String> = (1..=levels.of(axis).len()).map(|level| level.to_string()).collect();
        let choices: Vec<&str> = names.iter().map(String::as_str).collect();
        for (word, shown) in found.levels(axis) {
            let proposal = proposed_level(legends, axis, word, names.len());
            let about = format!("Which level of {} is “{shown}”?", axis.name());
            let id = format!("level:{}:{word}", axis.name());
            questions.push(Question::new(id, about, &proposal.to_string(), &choices));
        }
    }
    for choice in choice::FIELDS.iter().filter_map(|field| Choice::of(*field, kind)) {
        for (word, shown) in found.choices.get(choice.name).into_iter().flatten() {
            let about = format!("Which {} is “{shown}”?", choice.noun);
            let id = format!("{}:{word}", choice.name);
            questions.push(Question::new(id, about, choice.proposal, &choice.all()));
        }
    }
    questions.extend(found.dates());
    for name in &found.owners {
        let about = format!("Who is “{name}”?");
        let proposal = if name.contains('@') { "member" } else { "nobody" };
        questions.push(Question::new(
            format!("owner:{name}"),
            about,
            proposal,
            &["nobody", "member", "invite"],
        ));
    }
    let order = found.order();
    (questions, order)
}

/// Which rating "residual" and a single one are.
fn stages(columns: &[Column], kind: Kind) -> Vec<Question> {
    let place = |wanted: Stage| columns.iter().position(|column| is_rating(column.field, wanted));
    let mut questions = Vec::new();
    if place(Stage::Residual).is_some() {
        let proposal = if place(Stage::Current).is_some() { "target" } else { "current" };
        let about = "Is the residual rating how it is today, or what the treatment aims at?";
        let choices = &["current", "target"];
        questions.push(Question::new("stage:residual".to_owned(), about.to_owned(), proposal, choices));
    }
    if let Some(place) = place(Stage::Single).filter(|_| kind == Kind::Risks) {
        // A rating after the controls that exist takes them into account.
        let has_controls = columns
            .iter()
            .take(place)
            .any(|column| matches!(column.field, Field::ExistingControls | Field::Controls));
        let proposal = if has_controls { "both" } else { "inherent" };
        // Each risk needs the one without controls.
        let about = "Is the only rating the one without controls, or also the one of today?";
        let choices = &["inherent", "both"];
        questions.push(Question::new("stage:single".to_owned(), about.to_owned(), proposal, choices));
    }
    questions
}

fn is_rating(field: Field, wanted: Stage) -> bool {
    matches!(field, Field::Rating(stage, _) if stage == wanted)
}

/// The level of a word that a legend has, or else the middle one.
fn proposed_level(legends: &[Legend], axis: Axis, word: &str, levels: usize) -> usize {
    let fits = |legend: &&Legend| legend.axis.is_none_or(|other| other == axis);
    let mut names = legends.iter().filter(fits).flat_map(|legend| &legend.levels);
    let found = names.find(|(_, name, _)| crate::words::folded(name) == word);
    found
        .map(|(level, ..)| usize::from(*level))
        .filter(|level| *level <= levels)
        .unwrap_or(levels.div_ceil(2))
}

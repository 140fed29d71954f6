//! The report as a file.

use axum::response::Response;
use domain::risk::Risk;
use domain::scale::ScaleLevel;
use http::App;
use http::error::Result;
use render::Table;
use store::risk_changes::{Cause, RiskChange};
use store::risks::{HeatMap, RatingBasis};

use super::RiskReport;
use super::words::{FORMULA, label, moved, rated};
use crate::printed_file::{Form, Printed, time};

/// The most changes in a file that is printed, which bounds its time and memory; a workbook has all.
const PRINTED: usize = 2_500;

/// The heads of the columns of a heat map, as many as there are levels of impact.
const IMPACTS: [&str; 10] = [
    "Impact 1",
    "Impact 2",
    "Impact 3",
    "Impact 4",
    "Impact 5",
    "Impact 6",
    "Impact 7",
    "Impact 8",
    "Impact 9",
    "Impact 10",
];

/// So many of the changes are in a file of this form.
pub fn listed(form: Form) -> usize {
    match form {
        Form::Workbook => usize::MAX,
        Form::Word | Form::Pdf => PRINTED,
    }
}

impl RiskReport {
    /// The file.
    pub async fn file(self, app: &App, form: Form) -> Result<Response> {
        let name = format!("risks-{}", self.span.to.day);
        self.printed_with(listed(form)).file(app, form, &name).await
    }

    /// What is in it, with so many of the changes.
    pub(super) fn printed_with(&self, shown: usize) -> Printed {
        let mut tables: Vec<_> = self.maps.iter().map(|(basis, map)| self.heat_map(*basis, map)).collect();
        tables.extend([self.worst(), self.changes(shown)]);
        Printed {
            title: "Risk report".to_owned(),
            foot: format!("Register at the end of {}", self.span.to.day),
            facts: self.facts(shown),
            tables: tables.into_iter().filter(|it| !it.rows.is_empty()).collect(),
            ..Printed::default()
        }
    }

    fn facts(&self, shown: usize) -> Vec<(&'static str, String)> {
        let [there, changed, far] = self.summary();
        let mut facts = vec![
            ("Register", self.stands_for()),
            (
                "Changes since",
                format!("The end of {}, audit log entry {}", self.span.from.day, self.span.from.seq),
            ),
            ("Open risks", there),
            ("Changes", changed),
            ("Progress to target", far),
            ("How it is calculated", FORMULA.to_owned()),
        ];
        if self.worst.has_more {
            facts.push(("Worst risks", format!("The first {} are listed", self.worst.rows.len())));
        }
        if self.changes.len() > shown {
            facts.push((
                "Changes and decisions",
                format!("The first {shown} of {} are listed; the workbook has all", self.changes.len()),
            ));
        }
        facts
    }

    /// A heat map: a row for each level of likelihood, the highest first, below the names of the levels of impact.
    fn heat_map(&self, basis: RatingBasis, map: &HeatMap) -> Table<'static> {
        let content = &self.scales.present().content;
        let title = match basis {
            RatingBasis::Inherent => "Open risks by inherent rating",
            RatingBasis::Current => "Open risks by current rating",
            RatingBasis::Target => "Open risks by target rating",
        };
        let head = ["Likelihood"].into_iter().chain(IMPACTS).take(content.impact.len() + 1).collect();
        let names = ["".to_owned()].into_iter().chain(content.impact.iter().map(|it| it.name.to_string()));
        let row = |(likelihood, level): (i64, &ScaleLevel)| {
            let count = |impact| {
                let is_here = |it: &&store::risks::Rated| {
                    (it.rating.likelihood, it.rating.impact) == (likelihood, impact)
                };
                map.cells.iter().find(is_here).map_or_else(String::new, |it| it.count.to_string())
            };
            let counts = (1..).zip(&content.impact).map(|(impact, _)| count(impact));
            [format!("{likelihood} {}", level.name)].into_iter().chain(counts).collect()
        };
        let mut rows: Vec<Vec<String>> = (1..).zip(&content.likelihood).map(row).collect();
        rows.push(names.collect());
        rows.reverse();
        Table { title, head, rows }
    }

    fn worst(&self) -> Table<'static> {
        let row = |it: &Risk| {
            let current = it.current.map(|current| rated(current.rating.score(), it.grades.current.as_ref()));
            vec![
                it.number.to_string(),
                it.title.to_string(),
                owner(it),
                rated(it.inherent.score(), it.grades.inherent.as_ref()),
                current.unwrap_or_else(|| "not evaluated".to_owned()),
                it.target.map(|target| rated(target.score(), it.grades.target.as_ref())).unwrap_or_default(),
                self.trend_words(it),
            ]
        };
        let head = vec!["Number", "Risk", "Owner", "Inherent", "Current", "Target", "Trend"];
        Table { title: "Worst risks", head, rows: self.worst.rows.iter().map(row).collect() }
    }

    fn changes(&self, shown: usize) -> Table<'static> {
        let row = |it: &RiskChange| {
            let risk = it.risk.as_ref().map(|(number, title)| format!("{number} {title}"));
            vec![
                label(it.kind),
                risk.unwrap_or_else(|| "All risks".to_owned()),
                moved(it),
                who(&it.cause),
                time(it.cause.at),
                it.cause.reason.clone().unwrap_or_default(),
            ]
        };
        let head = vec!["Change", "Risk", "From → to", "By", "When", "Why"];
        Table {
            title: "Changes and decisions",
            head,
            rows: self.changes.iter().take(shown).map(row).collect(),
        }
    }
}

/// Who did something. A recorded decision is that of a board, and a deputy decides for somebody.
fn who(cause: &Cause) -> String {
    let by = &cause.by.name;
    match (&cause.board, &cause.on_behalf_of) {
        (Some(board), _) => format!("{}, recorded by {by}", &**board),
        (None, Some(person)) => format!("{by}, for {}", person.name),
        (None, None) => by.clone(),
    }
}

/// Whom the register names as the owner.
fn owner(risk: &Risk) -> String {
    let member = risk.owner.as_ref().map(|owner| owner.name.clone());
    member.or_else(|| risk.owner_name.as_ref().map(ToString::to_string)).unwrap_or_default()
}

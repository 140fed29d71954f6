//! The export of the evaluations of all risks.

use axum::response::Response;
use db::{Db, Tx};
use domain::evaluation::Evaluation;
use domain::{OrgId, RiskNumber};
use http::error::Result;
use store::View;
use store::evaluations::{RegisterEvaluation, RiskName, all, count_all};

use super::selection::HasColumns;
use super::{Cell, Columns, Lines, PAGE, Source, by_page, view_as_of};

/// What may be in a column with a level, with a score, and with a number of an evaluation.
const LEVEL: &str = "A level of the scale, from 1";
const SCORE: &str = "Likelihood times impact";
const NUMBER: &str = "A number from 1";

/// The evaluations that an export has.
pub struct Evaluations {
    /// The database.
    pub db: Db,
    /// The organization.
    pub organization: OrgId,
    /// The journal entry as of which they are shown.
    pub seq: i64,
    /// Whether superseded ones are among them.
    pub with_superseded: bool,
}

impl Evaluations {
    /// The response with all of them. More than a sheet of a workbook takes are a conflict: `export_too_large`.
    pub async fn file(self, tx: &mut Tx, lines: Lines<RegisterEvaluation>) -> Result<Response> {
        if lines.is_workbook() {
            let count = count_all(tx, self.organization, self.seq, self.with_superseded).await?;
            Lines::<RegisterEvaluation>::check_sheet(count)?;
        }
        Ok(by_page::file(self.db.clone(), self.seq, self, lines, tx.at()))
    }
}

impl Source for Evaluations {
    type Row = RegisterEvaluation;
    /// The risk and the number.
    type Position = (RiskNumber, i64);
    const NAME: &'static str = "evaluations";

    async fn page(
        &self,
        tx: &mut Tx,
        after: Option<(RiskNumber, i64)>,
    ) -> store::Result<store::Page<RegisterEvaluation>> {
        let view = view_as_of(tx, self.organization, View::now(), self.seq).await?;
        all(tx, self.organization, (view, self.seq), after, PAGE).await
    }

    fn position(row: &RegisterEvaluation) -> (RiskNumber, i64) {
        (row.evaluation.risk, row.evaluation.number)
    }

    fn has(&self, row: &RegisterEvaluation) -> bool {
        row.risk.is_some() && (self.with_superseded || row.evaluation.superseded_by.is_none())
    }
}

impl HasColumns for Evaluations {
    fn columns() -> Vec<String> {
        evaluation_columns().names()
    }
}

/// The columns of their CSV file: what an import of evaluations takes, and what only the register sets.
pub fn evaluation_columns() -> Columns<RegisterEvaluation> {
    let columns = Columns::<RegisterEvaluation>::new()
        .with(("risk", "Risk"), |it| Cell::Ours(it.evaluation.risk.to_string()))
        .about("The risk, by its number in this register.", "RSK-1")
        .with(("external_ref", "External reference"), |it| {
            of_risk(it, |name| Cell::maybe(name.external_ref.as_deref(), Cell::theirs))
        })
        .about("The reference of the risk, by which an import finds it.", "A text")
        .with(("title", "Title"), |it| of_risk(it, |name| Cell::theirs(&name.title)))
        .about("The title of the risk, by which an import finds one without a reference.", "A text")
        .with(("number", "Number"), |it| Cell::number(it.evaluation.number))
        .about("Counts the evaluations of the risk.", NUMBER)
        .with(("likelihood", "Likelihood"), |it| Cell::number(it.evaluation.rating.likelihood))
        .about("How likely it was judged.", LEVEL)
        .with(("impact", "Impact"), |it| Cell::number(it.evaluation.rating.impact))
        .about("How bad it was judged.", LEVEL)
        .with(("score", "Score"), |it| Cell::number(it.evaluation.rating.score()))
        .about("The rating as one number.", SCORE)
        .with_time(("evaluated_at", "Evaluated at"), |it| Some(it.evaluation.evaluated_at))
        .about("The time that it describes.", "A time")
        .with(("note", "Note"), |it| Cell::maybe(it.evaluation.note.as_deref(), Cell::theirs))
        .about("The reason for the rating.", "Markdown");
    recorded(columns)
}

/// The columns with what the register sets.
fn recorded(columns: Columns<RegisterEvaluation>) -> Columns<RegisterEvaluation> {
    let maybe = |number: fn(&Evaluation) -> Option<i64>| {
        move |it: &RegisterEvaluation| Cell::maybe(number(&it.evaluation), Cell::number)
    };
    columns
        .with(("inherent_score", "Inherent rating: score"), |it| Cell::number(it.evaluation.inherent_score))
        .about("The inherent rating of the risk when this was recorded.", SCORE)
        .with(("target_score", "Target rating: score"), maybe(|it| it.target_score))
        .about("The target of the risk when this was recorded, if it had one.", SCORE)
        .with(
            ("performance_basis_points", "Progress to target (basis points)"),
            maybe(|it| it.performance_basis_points),
        )
        .about("The share of the planned reduction that is reached: 1 is 0.01 %.", "0 to 10000")
        .with(("scale_version", "Scale version"), |it| Cell::number(it.evaluation.scale_version))
        .about("The version of the scale that it was judged by.", NUMBER)
        .with(("evaluator", "Evaluator"), |it| Cell::theirs(&it.evaluation.evaluator.name))
        .about("Who recorded it.", "A name")
        .with(("supersedes", "Supersedes"), maybe(|it| it.supersedes))
        .about("The number of the wrong evaluation that it takes the place of.", NUMBER)
        .with(("superseded_by", "Superseded by"), maybe(|it| it.superseded_by))
        .about("The number of the evaluation that takes its place: this one does not count.", NUMBER)
        .with_time(("created_date", "Created at"), |it| Some(it.evaluation.created_date))
        .about("When it was recorded.", "A time")
}

fn of_risk(row: &RegisterEvaluation, cell: impl FnOnce(&RiskName) -> Cell) -> Cell {
    row.risk.as_ref().map_or(Cell::Empty, cell)
}

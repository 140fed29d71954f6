//! The columns of the export of risks.

use domain::risk::{Current, Risk};

use super::{Cell, Columns, Exported};

impl Exported for Risk {
    fn columns() -> Columns<Risk> {
        let columns = Columns::<Risk>::new()
            .with(("id", "ID"), |it| Cell::Ours(it.number.to_string()))
            .about("The number in this register, which is never used again.", "RSK-1")
            .fields(|it| it)
            .with(("current_likelihood", "Current rating: likelihood"), |it| {
                current(it, |it| it.rating.likelihood)
            })
            .about(
                "The rating of the latest evaluation; empty before the first.",
                "A level of the scale, from 1",
            )
            .with(("current_impact", "Current rating: impact"), |it| current(it, |it| it.rating.impact))
            .about(
                "The rating of the latest evaluation; empty before the first.",
                "A level of the scale, from 1",
            )
            .with(("current_score", "Current rating: score"), |it| current(it, |it| it.rating.score()))
            .about("The rating of the latest evaluation; empty before the first.", "Likelihood times impact")
            .with(("current_band", "Current rating: band"), |it| {
                Cell::maybe(it.grades.current.as_ref(), |grade| Cell::theirs(&grade.name))
            })
            .about("What the scale calls that rating.", "A band of the scale");
        computed(columns)
    }
}

/// The columns that follow from others, and what the register sets.
fn computed(columns: Columns<Risk>) -> Columns<Risk> {
    columns
        .with_time(("evaluated_at", "Evaluated at"), |it| Some(it.current.as_ref()?.evaluated_at))
        .about("The time that the latest evaluation describes.", "A time")
        .with(("performance_basis_points", "Progress to target (basis points)"), |it| {
            Cell::maybe(it.current.and_then(|it| it.performance_basis_points), Cell::number)
        })
        .about("The share of the planned reduction that is reached: 1 is 0.01 %.", "0 to 10000")
        .with(("next_evaluation_date", "Next evaluation"), |it| {
            Cell::maybe(it.next_evaluation_date(), |day| Cell::Ours(day.to_string()))
        })
        .about("The day on which the next evaluation is due.", "A day")
        .with(("tags", "Tags"), |it| Cell::tags(&it.tags))
        .about("The names of its tags.", "Several, with \u{201c}; \u{201d} between them")
        .with(("version", "Version"), |it| Cell::number(it.version))
        .about("Counts its changes.", "A number from 1")
}

fn current(risk: &Risk, number: fn(&Current) -> i64) -> Cell {
    Cell::maybe(risk.current.as_ref(), |it| Cell::number(number(it)))
}

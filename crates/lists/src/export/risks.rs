//! The columns of the export of risks.

use domain::risk::{Current, Risk};

use super::{Cell, Columns, Exported};

impl Exported for Risk {
    fn columns() -> Columns<Risk> {
        Columns::<Risk>::new()
            .with(("id", "ID"), |it| Cell::Ours(it.number.to_string()))
            .fields(|it| it)
            .with(("current_likelihood", "Current rating: likelihood"), |it| {
                current(it, |it| it.rating.likelihood)
            })
            .with(("current_impact", "Current rating: impact"), |it| current(it, |it| it.rating.impact))
            .with(("current_score", "Current rating: score"), |it| current(it, |it| it.rating.score()))
            .with(("current_band", "Current rating: band"), |it| {
                Cell::maybe(it.grades.current.as_ref(), |grade| Cell::theirs(&grade.name))
            })
            .with_time(("evaluated_at", "Evaluated at"), |it| Some(it.current.as_ref()?.evaluated_at))
            .with(("performance_basis_points", "Progress to target (basis points)"), |it| {
                Cell::maybe(it.current.and_then(|it| it.performance_basis_points), Cell::number)
            })
            .with(("next_evaluation_date", "Next evaluation"), |it| {
                Cell::maybe(it.next_evaluation_date(), |day| Cell::Ours(day.to_string()))
            })
            .with(("tags", "Tags"), |it| Cell::tags(&it.tags))
            .with(("version", "Version"), |it| Cell::number(it.version))
    }
}

fn current(risk: &Risk, number: fn(&Current) -> i64) -> Cell {
    Cell::maybe(risk.current.as_ref(), |it| Cell::number(number(it)))
}

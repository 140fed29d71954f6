//! The columns of the export of risks.

use domain::risk::{Current, Risk};

use super::{Cell, Columns, Exported};

impl Exported for Risk {
    fn columns() -> Columns<Risk> {
        Columns::<Risk>::new()
            .with("id", |it| Cell::Ours(it.number.to_string()))
            .fields(|it| it)
            .with("current_likelihood", |it| current(it, |it| it.rating.likelihood))
            .with("current_impact", |it| current(it, |it| it.rating.impact))
            .with("current_score", |it| current(it, |it| it.rating.score()))
            .with("evaluated_at", |it| Cell::maybe(it.current.as_ref(), |it| Cell::time(it.evaluated_at)))
            .with("performance_basis_points", |it| current(it, |it| it.performance_basis_points))
            .with("tags", |it| Cell::tags(&it.tags))
            .with("version", |it| Cell::number(it.version))
    }
}

fn current(risk: &Risk, number: fn(&Current) -> i64) -> Cell {
    Cell::maybe(risk.current.as_ref(), |it| Cell::number(number(it)))
}

//! The columns of the export of risks.

use domain::risk::{Current, Rating, Risk};

use super::{Cell, Columns, Exported};

impl Exported for Risk {
    fn columns() -> Columns<Risk> {
        Columns::<Risk>::new()
            .with("id", |it| Cell::Ours(it.number.to_string()))
            .with("title", |it| Cell::theirs(&it.title))
            .with("description", |it| Cell::theirs(&it.description))
            .with("category", |it| Cell::maybe(it.category.as_deref(), Cell::theirs))
            .with("owner", |it| Cell::maybe(it.owner.as_ref(), |person| Cell::theirs(&person.name)))
            .with("owner_email", |it| Cell::maybe(it.owner.as_ref(), |person| Cell::theirs(&person.email)))
            .with("status", |it| Cell::word(it.status))
            .with("status_reason", |it| Cell::maybe(it.status_reason.as_deref(), Cell::theirs))
            .with("tags", |it| Cell::tags(&it.tags))
            .with("inherent_likelihood", |it| Cell::number(it.inherent.likelihood))
            .with("inherent_impact", |it| Cell::number(it.inherent.impact))
            .with("inherent_score", |it| Cell::number(it.inherent.score()))
            .with("current_likelihood", |it| current(it, |rating| rating.likelihood))
            .with("current_impact", |it| current(it, |rating| rating.impact))
            .with("current_score", |it| current(it, Rating::score))
            .with("target_likelihood", |it| Cell::number(it.target.likelihood))
            .with("target_impact", |it| Cell::number(it.target.impact))
            .with("target_score", |it| Cell::number(it.target.score()))
            .with("evaluated_at", |it| of_current(it, |it| Cell::time(it.evaluated_at)))
            .with("performance_basis_points", |it| {
                of_current(it, |it| Cell::number(it.performance_basis_points))
            })
            .with("created_date", |it| Cell::time(it.created_date))
            .with("updated_date", |it| Cell::time(it.updated_date))
            .with("deleted_date", |it| Cell::maybe(it.deleted_date, Cell::time))
            .with("version", |it| Cell::number(it.version))
    }
}

fn of_current(risk: &Risk, cell: fn(&Current) -> Cell) -> Cell {
    Cell::maybe(risk.current.as_ref(), cell)
}

fn current(risk: &Risk, number: fn(Rating) -> i64) -> Cell {
    Cell::maybe(risk.current.as_ref(), |it| Cell::number(number(it.rating)))
}

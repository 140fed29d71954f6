//! The columns of the export of risks.

use domain::risk::{Current, Rating, Risk};

use super::{Cell, Column, Exported};

impl Exported for Risk {
    const COLUMNS: &'static [Column<Risk>] = COLUMNS;
}

/// The columns of their CSV file.
const COLUMNS: &[Column<Risk>] = &[
    Column("id", |it| Cell::Ours(it.number.to_string())),
    Column("title", |it| Cell::theirs(&it.title)),
    Column("description", |it| Cell::theirs(&it.description)),
    Column("category", |it| Cell::maybe(it.category.as_deref(), Cell::theirs)),
    Column("owner", |it| Cell::maybe(it.owner.as_ref(), |person| Cell::theirs(&person.name))),
    Column("owner_email", |it| Cell::maybe(it.owner.as_ref(), |person| Cell::theirs(&person.email))),
    Column("status", |it| Cell::word(it.status)),
    Column("status_reason", |it| Cell::maybe(it.status_reason.as_deref(), Cell::theirs)),
    Column("tags", |it| Cell::tags(&it.tags)),
    Column("inherent_likelihood", |it| Cell::number(it.inherent.likelihood)),
    Column("inherent_impact", |it| Cell::number(it.inherent.impact)),
    Column("inherent_score", |it| Cell::number(it.inherent.score())),
    Column("current_likelihood", |it| current(it, |rating| rating.likelihood)),
    Column("current_impact", |it| current(it, |rating| rating.impact)),
    Column("current_score", |it| current(it, Rating::score)),
    Column("target_likelihood", |it| Cell::number(it.target.likelihood)),
    Column("target_impact", |it| Cell::number(it.target.impact)),
    Column("target_score", |it| Cell::number(it.target.score())),
    Column("evaluated_at", |it| of_current(it, |it| Cell::time(it.evaluated_at))),
    Column("performance_basis_points", |it| of_current(it, |it| Cell::number(it.performance_basis_points))),
    Column("created_date", |it| Cell::time(it.created_date)),
    Column("updated_date", |it| Cell::time(it.updated_date)),
    Column("deleted_date", |it| Cell::maybe(it.deleted_date, Cell::time)),
    Column("version", |it| Cell::number(it.version)),
];

fn of_current(risk: &Risk, cell: fn(&Current) -> Cell) -> Cell {
    Cell::maybe(risk.current.as_ref(), cell)
}

fn current(risk: &Risk, number: fn(Rating) -> i64) -> Cell {
    Cell::maybe(risk.current.as_ref(), |it| Cell::number(number(it.rating)))
}

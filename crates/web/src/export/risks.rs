//! The export of risks.

use axum::response::Response;
use db::{Db, Tx};
use domain::OrgId;
use domain::risk::{Current, Rating, Risk};
use store::View;
use store::list::{Direction, ListQuery, Position, Sort};
use store::risks::{RiskFilter, RiskSort, list_by_number};
use store::search::Found;

use super::selection::HasColumns;
use super::{Cell, Column, Lines, PAGE, Source, by_page, view_as_of};
use crate::http::error::Result;

/// The risks that an export has.
pub struct Risks {
    /// The database.
    pub db: Db,
    /// The organization.
    pub organization: OrgId,
    /// Whether deleted ones are among them.
    pub view: View,
    /// The journal entry as of which they are shown.
    pub seq: i64,
    /// Which ones.
    pub filter: RiskFilter,
}

impl Risks {
    /// All columns as CSV.
    pub fn csv() -> Lines<Risk> {
        Lines::csv(RISK_COLUMNS)
    }

    /// The response with all of them, with what its search finds in this read.
    pub async fn file(self, tx: &mut Tx, lines: Lines<Risk>) -> Result<Response> {
        let found = store::risks::found(tx, self.organization, &self.filter).await?;
        Ok(by_page::file(self.db.clone(), self.seq, Pages { of: self, found }, lines, tx.at()))
    }
}

struct Pages {
    of: Risks,
    /// What was searched for.
    found: Option<Found>,
}

impl Source for Pages {
    type Row = Risk;
    type Position = Position;
    const NAME: &'static str = "risks";

    async fn page(&self, tx: &mut Tx, after: Option<Position>) -> store::Result<store::Page<Risk>> {
        let Risks { organization, seq, filter, .. } = &self.of;
        let view = view_as_of(tx, *organization, self.of.view, *seq).await?;
        let sort = Sort { by: RiskSort::Number, direction: Direction::Ascending };
        let asked = ListQuery { view, filter: filter.clone(), sort, after };
        list_by_number(tx, *organization, &asked, self.found.as_ref(), PAGE).await
    }

    fn position(row: &Risk) -> Position {
        RiskSort::Number.position(row)
    }
}

impl HasColumns for Risks {
    fn columns() -> Vec<&'static str> {
        RISK_COLUMNS.iter().map(|column| column.0).collect()
    }
}

/// The columns of their CSV file.
pub(crate) const RISK_COLUMNS: &[Column<Risk>] = &[
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

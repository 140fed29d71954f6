//! The export of records with a history: incidents and risks.

use axum::response::Response;
use db::{Db, Tx};
use domain::OrgId;
use domain::incident::Viewer;
use http::error::Result;
use store::View;
use store::bulk::Bulk;
use store::list::{Direction, ListQuery, Position, Sort};
use store::listed::{Listed, Order};
use store::search::Found;

use super::selection::HasColumns;
use super::{Columns, Lines, PAGE, Source, Spreadsheet, by_page, view_as_of};

/// A kind of record that has an export.
pub trait Exported: Listed {
    /// The columns of the CSV file.
    fn columns() -> Columns<Self::Row>;
}

/// The records that an export has.
pub struct Export<R: Bulk> {
    /// The database.
    pub db: Db,
    /// The organization.
    pub organization: OrgId,
    /// Who sees the export.
    pub viewer: Viewer,
    /// Whether deleted ones are among them.
    pub view: View,
    /// The journal entry as of which they are shown.
    pub seq: i64,
    /// Which ones.
    pub filter: R::Filter,
}

impl<R: Exported> Export<R> {
    /// All columns for a spreadsheet.
    pub fn for_spreadsheet(spreadsheet: Spreadsheet) -> Lines<R::Row> {
        Lines::for_spreadsheet(R::columns(), spreadsheet)
    }

    /// The response with all of them. What is searched for is found here, as this read sees it: later pages would find what was
    /// changed meanwhile. More rows than a sheet of a workbook takes are a conflict: `export_too_large`.
    pub async fn file(mut self, tx: &mut Tx, lines: Lines<R::Row>) -> Result<Response> {
        // What has expired or is overdue is decided by one time, also if later pages are read as of a past entry.
        self.view = self.view.at(self.view.at.unwrap_or(tx.at()));
        if lines.is_workbook() {
            let count = R::COUNT(tx, self.organization, &self.viewer, self.view, &self.filter).await?;
            Lines::<R::Row>::check_sheet(count)?;
        }
        let found = R::FOUND(tx, self.organization, &self.viewer, &self.filter).await?;
        Ok(by_page::file(self.db.clone(), self.seq, Pages { of: self, found }, lines, tx.at()))
    }
}

struct Pages<R: Exported> {
    of: Export<R>,
    /// What was searched for.
    found: Option<Found>,
}

impl<R: Exported> Source for Pages<R> {
    type Row = R::Row;
    type Position = Position;
    const NAME: &'static str = R::NAME;

    async fn page(&self, tx: &mut Tx, after: Option<Position>) -> store::Result<store::Page<R::Row>> {
        let Export { organization, viewer, view, seq, filter, .. } = &self.of;
        let view = view_as_of(tx, *organization, *view, *seq).await?;
        let sort = Sort { by: R::BY_NUMBER, direction: Direction::Ascending };
        let asked = ListQuery { view, filter: filter.clone(), sort, after };
        let order = Order::Number(self.found.as_ref());
        Ok(R::LIST(tx, *organization, viewer, &asked, order, PAGE).await?.0)
    }

    fn position(row: &R::Row) -> Position {
        R::POSITION(R::BY_NUMBER, row)
    }
}

impl<R: Exported> HasColumns for Export<R> {
    fn columns() -> Vec<String> {
        R::columns().names()
    }
}

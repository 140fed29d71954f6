//! The export of who has acknowledged a document.

use axum::response::Response;
use db::Tx;
use domain::acknowledgement::{AcknowledgementStatus, Coverage, PersonCoverage};
use domain::{OrgId, UserId};
use http::error::Result;
use store::acknowledgements::DocumentCoverage;

use super::selection::HasColumns;
use super::{Cell, Columns, Lines, PAGE, Source, Spreadsheet, at_once};

/// The people that an export has.
pub struct Acknowledgements {
    /// The organization.
    pub organization: OrgId,
    /// Those whom the caller sees.
    pub coverage: DocumentCoverage,
    /// Those with one of these statuses; all without any.
    pub status: Vec<AcknowledgementStatus>,
}

impl Acknowledgements {
    /// All columns for a spreadsheet.
    pub fn for_spreadsheet(spreadsheet: Spreadsheet) -> Lines<PersonCoverage> {
        Lines::for_spreadsheet(acknowledgement_columns(), spreadsheet)
    }

    /// The response with all of them.
    pub async fn file(self, tx: &mut Tx, lines: &Lines<PersonCoverage>) -> Result<Response> {
        at_once::file(tx, self.organization, &self, lines).await
    }
}

impl Source for Acknowledgements {
    type Row = PersonCoverage;
    /// The name and the id.
    type Position = (String, UserId);
    const NAME: &'static str = "acknowledgements";

    async fn page(
        &self,
        _: &mut Tx,
        after: Option<(String, UserId)>,
    ) -> store::Result<store::Page<PersonCoverage>> {
        Ok(self.coverage.page(&self.status, after.as_ref(), PAGE))
    }

    fn position(row: &PersonCoverage) -> (String, UserId) {
        (row.person.name.clone(), row.person.id)
    }
}

impl HasColumns for Acknowledgements {
    fn columns() -> Vec<String> {
        acknowledgement_columns().names()
    }
}

/// The columns of their CSV file.
pub fn acknowledgement_columns() -> Columns<PersonCoverage> {
    Columns::<PersonCoverage>::new()
        .with(("user_id", "User ID"), |it| Cell::Ours(it.person.id.to_string()))
        .with(("name", "Name"), |it| Cell::theirs(&it.person.name))
        .with(("email", "E-mail address"), |it| Cell::theirs(&it.person.email))
        .with(("status", "Status"), |it| Cell::word(it.status))
        .with_time(("asked_date", "Asked at"), |it| match it.coverage {
            Coverage::Open { asked, .. } => Some(asked),
            _ => None,
        })
        .with_time(("due_date", "Due at"), |it| match it.coverage {
            Coverage::Open { due, .. } => due,
            _ => None,
        })
        .with(("acknowledged_version", "Acknowledged version"), |it| {
            Cell::maybe(it.coverage.given(), |given| Cell::number(given.version))
        })
        .with_time(("acknowledged_date", "Acknowledged at"), |it| it.coverage.given().map(|it| it.at))
        .with(("on_paper", "On paper"), |it| Cell::maybe(it.on_paper.as_deref(), Cell::theirs))
}

//! The export of tags.

use axum::response::Response;
use db::Tx;
use domain::OrgId;
use domain::tag::Tag;
use http::error::Result;
use store::tags::list;

use super::selection::HasColumns;
use super::{Cell, Columns, Lines, PAGE, Source, Spreadsheet, at_once};

/// The tags that an export has.
pub struct Tags {
    /// The organization.
    pub organization: OrgId,
    /// Those with one of these names; all if none is said.
    pub names: Vec<String>,
}

impl Tags {
    /// All columns for a spreadsheet.
    pub fn for_spreadsheet(spreadsheet: Spreadsheet) -> Lines<Tag> {
        Lines::for_spreadsheet(tag_columns(), spreadsheet)
    }

    /// The response with all of them.
    pub async fn file(self, tx: &mut Tx, lines: &Lines<Tag>) -> Result<Response> {
        at_once::file(tx, self.organization, &self, lines).await
    }
}

impl Source for Tags {
    type Row = Tag;
    /// The name.
    type Position = String;
    const NAME: &'static str = "tags";

    async fn page(&self, tx: &mut Tx, after: Option<String>) -> store::Result<store::Page<Tag>> {
        list(tx, self.organization, &self.names, after.as_deref(), PAGE).await
    }

    fn position(row: &Tag) -> String {
        row.name.to_string()
    }
}

impl HasColumns for Tags {
    fn columns() -> Vec<String> {
        tag_columns().names()
    }
}

/// The columns of their CSV file.
pub fn tag_columns() -> Columns<Tag> {
    Columns::<Tag>::new()
        .with(("id", "ID"), |it| Cell::Ours(it.id.to_string()))
        .with(("name", "Name"), |it| Cell::theirs(&it.name))
        .with(("color", "Color"), |it| Cell::theirs(&it.color))
        .with(("description", "Description"), |it| Cell::maybe(it.description.as_deref(), Cell::theirs))
        .with_time(("created_date", "Created at"), |it| Some(it.created_date))
        .with_time(("updated_date", "Updated at"), |it| Some(it.updated_date))
        .with(("version", "Version"), |it| Cell::number(it.version))
}

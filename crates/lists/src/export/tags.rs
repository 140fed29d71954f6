//! The export of tags.

use axum::response::Response;
use db::Tx;
use domain::OrgId;
use domain::tag::Tag;
use http::error::Result;
use store::tags::list;

use super::selection::HasColumns;
use super::{Cell, Columns, Lines, PAGE, Source, at_once};

/// The tags that an export has.
pub struct Tags {
    /// The organization.
    pub organization: OrgId,
    /// Those with one of these names; all if none is said.
    pub names: Vec<String>,
}

impl Tags {
    /// All columns as CSV.
    pub fn csv() -> Lines<Tag> {
        Lines::csv(tag_columns())
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
        .with("id", |it| Cell::Ours(it.id.to_string()))
        .with("name", |it| Cell::theirs(&it.name))
        .with("color", |it| Cell::theirs(&it.color))
        .with("description", |it| Cell::maybe(it.description.as_deref(), Cell::theirs))
        .with("created_date", |it| Cell::time(it.created_date))
        .with("updated_date", |it| Cell::time(it.updated_date))
        .with("version", |it| Cell::number(it.version))
}

//! The export of documents, without their items.

use axum::response::Response;
use db::Tx;
use domain::OrgId;
use domain::document::Document;
use store::documents::{DocumentFilter, list};

use super::selection::HasColumns;
use super::{Cell, Column, Lines, PAGE, Source, at_once};
use crate::http::error::Result;

/// The documents that an export has.
pub struct Documents {
    /// The organization.
    pub organization: OrgId,
    /// Which ones.
    pub filter: DocumentFilter,
}

impl Documents {
    /// All columns as CSV.
    pub fn csv() -> Lines<Document> {
        Lines::csv(DOCUMENT_COLUMNS)
    }

    /// The response with all of them.
    pub async fn file(self, tx: &mut Tx, lines: &Lines<Document>) -> Result<Response> {
        at_once::file(tx, self.organization, &self, lines).await
    }
}

impl Source for Documents {
    type Row = Document;
    /// The slug.
    type Position = String;
    const NAME: &'static str = "documents";

    async fn page(&self, tx: &mut Tx, after: Option<String>) -> store::Result<store::Page<Document>> {
        list(tx, self.organization, &self.filter, after.as_deref(), PAGE).await
    }

    fn position(row: &Document) -> String {
        row.slug.clone()
    }
}

impl HasColumns for Documents {
    fn columns() -> Vec<&'static str> {
        DOCUMENT_COLUMNS.iter().map(|column| column.0).collect()
    }
}

/// The columns of their CSV file.
pub(crate) const DOCUMENT_COLUMNS: &[Column<Document>] = &[
    Column("slug", |it| Cell::Ours(it.slug.clone())),
    Column("title", |it| Cell::theirs(&it.title)),
    Column("description", |it| Cell::theirs(&it.description)),
    Column("owner", |it| Cell::maybe(it.owner.as_ref(), |person| Cell::theirs(&person.name))),
    Column("owner_email", |it| Cell::maybe(it.owner.as_ref(), |person| Cell::theirs(&person.email))),
    Column("status", |it| Cell::word(it.status)),
    Column("published_version", |it| Cell::maybe(it.published_version, Cell::number)),
    Column("open_proposal", |it| Cell::maybe(it.open_proposal, Cell::number)),
    Column("created_date", |it| Cell::time(it.created_date)),
    Column("updated_date", |it| Cell::time(it.updated_date)),
    Column("version", |it| Cell::number(it.version)),
];

//! The export of documents, without their items.

use axum::response::Response;
use db::Tx;
use domain::OrgId;
use domain::document::Document;
use http::error::Result;
use store::documents::{DocumentFilter, list};

use super::selection::HasColumns;
use super::{Cell, Columns, Lines, PAGE, Source, Spreadsheet, at_once};

/// The documents that an export has.
pub struct Documents {
    /// The organization.
    pub organization: OrgId,
    /// Which ones.
    pub filter: DocumentFilter,
}

impl Documents {
    /// All columns for a spreadsheet.
    pub fn for_spreadsheet(spreadsheet: Spreadsheet) -> Lines<Document> {
        Lines::for_spreadsheet(document_columns(), spreadsheet)
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
    fn columns() -> Vec<String> {
        document_columns().names()
    }
}

/// The columns of their CSV file.
pub fn document_columns() -> Columns<Document> {
    Columns::<Document>::new()
        .with(("slug", "Slug"), |it| Cell::Ours(it.slug.clone()))
        .fields(|it| it)
        .with(("tags", "Tags"), |it| Cell::tags(&it.tags))
        .with(("version", "Version"), |it| Cell::number(it.version))
}

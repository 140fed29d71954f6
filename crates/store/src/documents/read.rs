//! Reading documents.

use db::{FromRow, Row, Tx};
use domain::document::{Document, DocumentStatus, DocumentWithItems, PlacedItem};
use domain::person::Person;
use domain::{Error, Noun, OrgId, UserId};
use uuid::Uuid;

use super::item::{self, ItemRow};
use crate::error::Result;
use crate::page::Page;

/// A document's columns, to be read from rows called `d` with [`JOINS`].
const COLUMNS: &str = "d.slug, d.title, d.description, d.owner, owner.name, person.email, d.status,
    d.published_version, proposal.number, d.created_date, d.updated_date, d.version";

/// The owner as they are called today, and the one proposal that is open.
const JOINS: &str = "
    LEFT JOIN membership AS owner ON owner.organization = d.organization AND owner.person = d.owner
    LEFT JOIN person ON person.id = d.owner
    LEFT JOIN proposal ON proposal.organization = d.organization AND proposal.document = d.slug
                       AND proposal.status IN ('open', 'submitted')";

/// One document with its items.
pub async fn get(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<DocumentWithItems> {
    let sql =
        format!("SELECT {COLUMNS} FROM document AS d {JOINS} WHERE d.organization = $1 AND d.slug = $2");
    let row: Option<DocumentRow> = tx.query_opt(&sql, &[&organization.uuid(), &slug]).await?;
    let DocumentRow(document) = row.ok_or(Error::NotFound(Noun::Document))?;
    Ok(DocumentWithItems { document, items: items(tx, organization, slug).await? })
}

/// Up to `limit` documents by slug, those after the slug `after`.
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Document>> {
    // Rows are chosen before they are joined. Every slug is greater than the empty text.
    let sql = format!(
        "SELECT {COLUMNS} FROM (
            SELECT * FROM document WHERE organization = $1 AND slug > $2 ORDER BY slug LIMIT $3) AS d {JOINS}
         ORDER BY d.slug"
    );
    let after = after.unwrap_or_default();
    let rows: Vec<DocumentRow> = tx.query(&sql, &[&organization.uuid(), &after, &(limit + 1)]).await?;
    Ok(Page::cut(rows.into_iter().map(|row| row.0).collect(), limit))
}

/// How many documents there are.
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    let sql = "SELECT count(*) FROM document WHERE organization = $1";
    let (count,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    Ok(count)
}

/// What decides whether a document takes edits, and where they go.
pub(crate) struct State {
    /// Where the document is in its life.
    pub(crate) status: DocumentStatus,
    /// Counts its changes from 1; edits that wait in a proposal are none.
    pub(crate) version: i64,
    /// The number of its open proposal.
    pub(crate) proposal: Option<i64>,
}

/// The state of a document.
pub(crate) async fn state(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<State> {
    let sql = "SELECT d.status, d.version, proposal.number FROM document AS d
        LEFT JOIN proposal ON proposal.organization = d.organization AND proposal.document = d.slug
                           AND proposal.status IN ('open', 'submitted')
        WHERE d.organization = $1 AND d.slug = $2";
    let row: Option<(String, i64, Option<i64>)> = tx.query_opt(sql, &[&organization.uuid(), &slug]).await?;
    let (status, version, proposal) = row.ok_or(Error::NotFound(Noun::Document))?;
    Ok(State { status: parse_status(&status)?, version, proposal })
}

/// A document's items, in the order of the text.
pub(crate) async fn items(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<PlacedItem>> {
    let rows = item_rows(tx, organization, slug).await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

pub(super) async fn item_rows(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<ItemRow>> {
    let columns = item::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM document_item WHERE organization = $1 AND document = $2 ORDER BY position"
    );
    Ok(tx.query(&sql, &[&organization.uuid(), &slug]).await?)
}

struct DocumentRow(Document);

impl FromRow for DocumentRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let status: String = row.get(6)?;
        let owner = match row.get::<Option<Uuid>>(3)? {
            Some(id) => Some(Person { id: UserId(id), name: row.get(4)?, email: row.get(5)? }),
            None => None,
        };
        Ok(Self(Document {
            slug: row.get(0)?,
            title: row.get(1)?,
            description: row.get(2)?,
            owner,
            status: parse_status(&status)?,
            published_version: row.get(7)?,
            open_proposal: row.get(8)?,
            created_date: row.get(9)?,
            updated_date: row.get(10)?,
            version: row.get(11)?,
        }))
    }
}

fn parse_status(text: &str) -> db::Result<DocumentStatus> {
    DocumentStatus::parse(text)
        .ok_or_else(|| db::Error::Internal(format!("document.status {text} is not known")))
}

//! Reading documents.

use db::{FromRow, Row, Tx, Value};
use domain::document::{Document, DocumentWithItems, PlacedItem};
use domain::{Error, OrgId, ResourceKind};

use super::ItemRow;
use crate::error::Result;
use crate::list::{Direction, Filter, Select};
use crate::page::Page;
use crate::record::{Reader, Record, Stored};
use crate::view::View;

/// One document with its items.
pub async fn get(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<DocumentWithItems> {
    let found = select(organization).filter(Filter::is("slug", slug.into())).one(tx).await?;
    let DocumentRow(document) = found.ok_or(Error::NotFound(ResourceKind::Document))?;
    Ok(DocumentWithItems { document, items: items(tx, organization, slug).await? })
}

/// Up to `limit` documents by slug, those after the slug `after`.
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Document>> {
    let select = select(organization).order(&["slug"], Direction::Ascending, after.map(Value::from));
    Ok(select.page(tx, limit).await?.map(|DocumentRow(document)| document))
}

/// Whether there is such a document.
pub(crate) async fn exists(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<bool> {
    Ok(select(organization).filter(Filter::is("slug", slug.into())).count(tx).await? > 0)
}

/// How many documents there are.
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    select(organization).count(tx).await
}

/// Documents with the number of the one proposal that is open.
fn select<'q>(organization: OrgId) -> Select<'q, Document> {
    Select::of(organization, View::with_deleted()).with(", proposal.number", |_| {
        " LEFT JOIN proposal ON proposal.organization = r.organization AND proposal.document = r.slug
               AND proposal.status IN ('open', 'submitted')"
            .to_owned()
    })
}

struct DocumentRow(Document);

impl FromRow for DocumentRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let document = Document::read(&mut row)?;
        Ok(Self(Document { open_proposal: row.next()?, ..document }))
    }
}

/// A document's items, in the order of the text.
pub(super) async fn items(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<PlacedItem>> {
    let select = Select::<ItemRow>::of(organization, View::with_deleted());
    let of_document = select.filter(Filter::is("document", slug.into()));
    let rows = of_document.order(&["position"], Direction::Ascending, []).all(tx).await?;
    rows.into_iter().map(|Stored::<ItemRow>(row)| Ok(PlacedItem::try_from(row)?)).collect()
}

//! Making documents.

use db::{Param, Tx};
use domain::document::{Document, DocumentWithItems, Item, ItemKind, NewDocument, PlacedItem};
use domain::{Author, Error, OrgId};

use super::{fields, item};
use crate::error::Result;
use crate::{journal, people};

const INSERT_ITEM: &str =
    "INSERT INTO document_item (organization, document, position, id, kind, label, guidance, required,
        default_value, options, max_length, multiline, value)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, NULL)";

/// Makes a document with its items. A slug that is in use is a conflict.
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewDocument,
) -> Result<DocumentWithItems> {
    let owner = match new.owner {
        Some(id) => people::get(tx, organization, id).await?.map(|member| member.person),
        None => None,
    };
    let document = new.create(new.check(owner)?, tx.at());
    if insert(tx, organization, &document).await? == 0 {
        return Err(Error::Conflict { code: "slug_taken", title: "The slug is in use" }.into());
    }
    insert_items(tx, organization, &document.slug, &new.items).await?;
    let payload = fields::created(&document, &new.items);
    let subject = fields::subject(&document.slug);
    journal::append(tx, organization, author, "document.created", subject, payload).await?;
    let items = new.items.iter().map(|item| PlacedItem { item: item.clone(), value: None }).collect();
    Ok(DocumentWithItems { document, items })
}

/// Gives 0 when the slug is in use.
async fn insert(tx: &mut Tx, organization: OrgId, document: &Document) -> Result<u64> {
    let sql =
        "INSERT INTO document (organization, slug, title, description, owner, status, published_version,
            created_date, updated_date, version)
         VALUES ($1, $2, $3, $4, $5, $6, NULL, $7, $8, $9)
         ON CONFLICT (organization, slug) DO NOTHING";
    let params: [&dyn Param; 9] = [
        &organization.uuid(),
        &document.slug,
        &document.title,
        &document.description,
        &document.owner.as_ref().map(|person| person.id.uuid()),
        &document.status.as_str(),
        &document.created_date,
        &document.updated_date,
        &document.version,
    ];
    Ok(tx.execute(sql, &params).await?)
}

/// An item's columns that depend on its kind.
struct OfKind<'a> {
    default_value: Option<&'a str>,
    options: Option<String>,
    max_length: Option<i64>,
    multiline: Option<bool>,
}

fn of_kind(kind: &ItemKind) -> OfKind<'_> {
    match kind {
        ItemKind::Select { options, default } => OfKind {
            default_value: default.as_deref(),
            options: Some(item::options_to_text(options)),
            max_length: None,
            multiline: None,
        },
        ItemKind::Text { default, max_length, multiline } => OfKind {
            default_value: Some(default),
            options: None,
            max_length: Some(*max_length),
            multiline: Some(*multiline),
        },
    }
}

async fn insert_items(tx: &mut Tx, organization: OrgId, slug: &str, items: &[Item]) -> Result<()> {
    let organization = organization.uuid();
    let columns: Vec<_> = (0_i64..)
        .zip(items)
        .map(|(position, item)| (position, item, item.kind.node_type().as_str(), of_kind(&item.kind)))
        .collect();
    let rows: Vec<[&dyn Param; 12]> = columns
        .iter()
        .map(|(position, item, kind, own)| {
            let row: [&dyn Param; 12] = [
                &organization,
                &slug,
                position,
                &item.id,
                kind,
                &item.label,
                &item.guidance,
                &item.required,
                &own.default_value,
                &own.options,
                &own.max_length,
                &own.multiline,
            ];
            row
        })
        .collect();
    tx.send_many(INSERT_ITEM, &rows).await?;
    Ok(())
}

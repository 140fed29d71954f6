//! Making documents.

use db::Tx;
use domain::document::{DocumentWithItems, NewDocument, PlacedItem};
use domain::{Author, Error, ErrorCode, OrgId};
use macros::boxed;

use super::item::{ItemRow, journaled_item};
use super::subject;
use crate::ledger::error::Result;
use crate::ledger::{journal, record};
use crate::people;

/// Makes a document with its items. A slug that is in use is a conflict.
#[boxed]
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
    if !record::insert_unless_taken(tx, organization, &document).await? {
        return Err(Error::Conflict(ErrorCode::SlugTaken).into());
    }
    let places = (0..).zip(&new.items);
    let rows: Vec<_> = places.map(|(place, item)| ItemRow::new(&new.slug, place, item)).collect();
    record::insert_all(tx, organization, &rows).await?;
    let items: Vec<_> = new.items.iter().map(journaled_item).collect();
    let payload = record::changes(None, &document).set("items", items);
    let subject = subject(&document.slug);
    journal::append(tx, organization, author, "document.created", subject, payload).await?;
    let items = new.items.iter().map(|item| PlacedItem { item: item.clone(), value: None }).collect();
    Ok(DocumentWithItems { document, items })
}

//! The fields of a document that the journal tells of.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use domain::document::{Document, Item};
use serde_json::{Value, json};

use super::item::{ItemRow, journaled_item};
use super::read;
use crate::error::Result;
use crate::journal::{Current, Payload, Subject};

/// Documents that are compared with the journal at a time.
const PAGE: i64 = 200;

/// The subject of a document's entries.
pub(crate) fn subject(slug: &str) -> Subject {
    Subject::new("document", slug)
}

/// What the journal tells of a new document.
pub(super) fn created(document: &Document, items: &[Item]) -> Payload {
    let mut payload = Payload::new();
    for (name, value) in fields(document) {
        payload = payload.set(name, value);
    }
    payload.set("items", items.iter().map(journaled_item).collect::<Vec<_>>())
}

fn fields(document: &Document) -> [(&'static str, Value); 5] {
    [
        ("title", json!(document.title)),
        ("description", json!(document.description)),
        ("owner", json!(document.owner.as_ref().map(|person| person.id))),
        ("status", json!(document.status.as_str())),
        ("published_version", json!(document.published_version)),
    ]
}

/// The field of an entry that tells of an item's value. An item's id has no colon, so it cannot be taken
/// for another field.
pub(crate) fn value_field(item: &str) -> String {
    format!("item:{item}")
}

/// Every document as the journal should have it.
pub(crate) async fn journaled(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    let (mut all, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = read::list(tx, organization, after.as_deref(), PAGE).await?;
        for document in &page.rows {
            let items = read::item_rows(tx, organization, &document.slug).await?;
            let values = latest_values(tx, organization, &document.slug).await?;
            all.push(current(document, &items, values));
        }
        if !page.has_more {
            return Ok(all);
        }
        after = page.rows.last().map(|document| document.slug.clone());
    }
}

/// What was set for the items of a document, in the order of time.
async fn latest_values(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<(String, String)>> {
    let sql = "SELECT edit.item, edit.value FROM proposal
        JOIN change_set ON change_set.organization = proposal.organization
                        AND change_set.proposal = proposal.number
        JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                     AND edit.change_set = change_set.number
        WHERE proposal.organization = $1 AND proposal.document = $2 ORDER BY edit.set_date";
    Ok(tx.query(sql, &[&organization.uuid(), &slug]).await?)
}

/// Edits are entries of the document too, so its latest entry says nothing about its own row.
fn current(document: &Document, items: &[ItemRow], values: Vec<(String, String)>) -> Current {
    let items = items.iter().map(|row| journaled_item(&row.0.item)).collect::<Vec<_>>();
    let mut fields: HashMap<_, _> = fields(document).map(|(name, value)| (name.to_owned(), value)).into();
    fields.insert("items".to_owned(), Value::Array(items));
    fields.extend(values.into_iter().map(|(item, value)| (value_field(&item), Value::String(value))));
    Current { subject_kind: "document", subject_id: document.slug.clone(), seq_from: None, fields }
}

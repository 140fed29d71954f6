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

/// Every document as the journal should have it.
pub(crate) async fn journaled(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    let (mut all, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = read::list(tx, organization, after.as_deref(), PAGE).await?;
        for document in &page.rows {
            let items = read::item_rows(tx, organization, &document.slug).await?;
            all.push(current(document, &items));
        }
        if !page.has_more {
            return Ok(all);
        }
        after = page.rows.last().map(|document| document.slug.clone());
    }
}

/// Edits are entries of the document too, so its latest entry says nothing about its own row.
fn current(document: &Document, items: &[ItemRow]) -> Current {
    let items = items.iter().map(|row| journaled_item(&row.0.item)).collect::<Vec<_>>();
    let mut fields: HashMap<_, _> = fields(document).map(|(name, value)| (name.to_owned(), value)).into();
    fields.insert("items".to_owned(), Value::Array(items));
    Current { subject_kind: "document", subject_id: document.slug.clone(), seq_from: None, fields }
}

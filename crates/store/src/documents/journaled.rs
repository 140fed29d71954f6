//! Documents, with what was set for their items, as the journal should have them.

use std::collections::HashMap;

use db::Tx;
use domain::OrgId;
use domain::document::PlacedItem;
use serde_json::{Value, json};

use super::tag_links::TAGS;
use super::versions::{self, journaled_version};
use super::{WithTemplate, library, read, reviews, subject};
use crate::ledger::error::Result;
use crate::ledger::part::RecordedParts;
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};

/// Documents that are read at a time.
const PAGE: i64 = 20;

/// The field of a document's entry that tells which proposal a change set belongs to.
pub(crate) fn change_set_field(change_set: i64) -> String {
    format!("change_sets/{change_set}/proposal")
}

/// The field of a document's entry that tells of an item's value in a change set.
pub(crate) fn edit_field(change_set: i64, item: &str) -> String {
    format!("change_sets/{change_set}/items/{item}")
}

/// The field of a document's entry that tells that an item's value in a change set was adopted.
pub(crate) fn adopted_field(change_set: i64, item: &str) -> String {
    format!("change_sets/{change_set}/adopted/{item}")
}

/// The field of a document's entry that tells what else a change set changes.
pub(crate) fn fields_field(change_set: i64) -> String {
    format!("change_sets/{change_set}/fields")
}

/// The items of a document as the journal has them, without values.
pub(super) fn journaled_items(items: &[PlacedItem]) -> Value {
    items.iter().map(|placed| placed.item.to_json()).collect()
}

/// The field of a document's entry that tells of an item's published value.
pub(crate) fn value_field(item: &str) -> String {
    format!("values/{item}")
}

/// The field of a document's entry that tells of a published version.
pub(crate) fn version_field(number: i64) -> String {
    format!("versions/{number}")
}

/// The next documents, as they are held against the journal. Edits are entries of the document too, so its latest entry
/// says nothing about its own row.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let RecordPage { records: documents, next } =
        RecordPage::<WithTemplate>::read(tx, organization, after, PAGE).await?;
    let mut records = Vec::with_capacity(documents.len());
    let slugs: Vec<String> = documents.iter().map(|it| it.document.slug.clone()).collect();
    let mut tags = HashMap::new();
    TAGS.recorded(tx, organization, &slugs, &mut tags).await?;
    for stored in documents {
        let document = &stored.document;
        let items = read::items(tx, organization, &document.slug).await?;
        let published =
            items.iter().filter_map(|it| Some((value_field(&it.item.id), json!(it.value.as_ref()?))));
        let published: Vec<_> = published.collect();
        let made = Made::at(document.created_date);
        let mut record = Recorded::of(subject(&document.slug), &stored).made(made);
        record.fields.insert("items".to_owned(), journaled_items(&items));
        record.fields.extend(published);
        for version in versions::all_versions(tx, organization, &document.slug).await? {
            record.fields.insert(version_field(version.version.number), journaled_version(&version));
        }
        record.fields.extend(reviews::all_journaled(tx, organization, &document.slug).await?);
        record.fields.extend(library::all_journaled(tx, organization, &document.slug).await?);
        record.fields.extend(edits(tx, organization, &document.slug).await?);
        let RecordedParts { fields, links, .. } = tags.remove(&document.slug).unwrap_or_default();
        record.fields.extend(fields);
        record.links = links;
        records.push(record);
    }
    Ok(RecordPage { records, next })
}

/// A change set, its proposal, what else it changes, and an edit of it: the item, the value, and whether that was adopted.
type EditRow = (i64, i64, Option<String>, Option<String>, Option<String>, Option<bool>);

/// The change sets of a document's proposals, and what they set.
async fn edits(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<(String, Value)>> {
    let sql =
        "SELECT change_set.number, change_set.proposal, change_set.fields, edit.item, edit.value, edit.is_adopted
        FROM proposal
        JOIN change_set ON change_set.organization = proposal.organization
                        AND change_set.proposal = proposal.number
        LEFT JOIN change_set_edit AS edit ON edit.organization = change_set.organization
                                          AND edit.change_set = change_set.number
        WHERE proposal.organization = $1 AND proposal.document = $2";
    let rows: Vec<EditRow> = tx.query(sql, &[&organization.uuid(), &slug]).await?;
    let mut fields = Vec::with_capacity(rows.len());
    for (change_set, proposal, changed, item, value, is_adopted) in rows {
        fields.push((change_set_field(change_set), json!(proposal)));
        fields.extend(changed.map(|changed| (fields_field(change_set), json!(changed))));
        let Some(item) = item else { continue };
        fields.push((edit_field(change_set, &item), json!(value)));
        let is_adopted = is_adopted == Some(true);
        fields.extend(is_adopted.then(|| (adopted_field(change_set, &item), json!(true))));
    }
    Ok(fields)
}

//! Publishing an approved version of a document.

use std::collections::BTreeMap;

use db::{Param, Tx};
use domain::OrgId;
use domain::document::{Document, DocumentStatus, DocumentWithItems, PlacedItem, PublishedText};

use super::item::ItemRow;
use super::journaled::{journaled_items, value_field, version_field};
use super::versions::journaled_version;
use super::{WithTemplate, read, subject};
use crate::ledger::error::Result;
use crate::ledger::journal::New;
use crate::ledger::record;

/// Makes a document what was approved, with the values of its items, and stores the version. Returns what is journaled.
pub(crate) async fn publish(
    tx: &mut Tx,
    organization: OrgId,
    before: &DocumentWithItems,
    approved: DocumentWithItems,
    published: &PublishedText,
) -> Result<New> {
    read::check_reference(tx, organization, &approved.document).await?;
    let slug = approved.document.slug.clone();
    let values = values(&before.items, &approved.items);
    let items = (journaled_items(&before.items), journaled_items(&approved.items));
    if items.0 == items.1 {
        let sql = "UPDATE document_item SET value = $4 WHERE organization = $1 AND document = $2 AND id = $3";
        for (item, [_, value]) in values.iter().filter(|(_, [before, after])| before != after) {
            let params: [&dyn Param; 4] = [&organization.uuid(), &slug, item, value];
            tx.send(sql, &params).await?;
        }
    } else {
        let sql = "DELETE FROM document_item WHERE organization = $1 AND document = $2";
        tx.send(sql, &[&organization.uuid(), &slug]).await?;
        let places = (0..).zip(&approved.items);
        let rows: Vec<_> = places.map(|(place, item)| ItemRow::new(&slug, place, item)).collect();
        record::insert_all(tx, organization, &rows).await?;
    }
    let after = Document {
        status: DocumentStatus::Published,
        published_version: Some(published.version.number),
        open_proposal: None,
        proposal_status: None,
        library_sha256: before.document.taken_sha256.clone().or(before.document.library_sha256.clone()),
        library_release: before.document.library_release.max(before.document.taken_release),
        taken_sha256: None,
        taken_release: None,
        updated_date: tx.at(),
        version: before.document.version + 1,
        ..approved.document.clone().reviewed(tx.at())
    };
    let stored = |document, it: &DocumentWithItems| WithTemplate {
        document,
        template: it.template.clone(),
        approval_steps: it.approval_steps.clone(),
    };
    let (stored, after) = (stored(before.document.clone(), before), stored(after, &approved));
    let mut payload = record::changes(Some(&stored), &after).change("items", items.0, items.1);
    for (item, [before, after]) in values {
        payload = payload.change(&value_field(item), before, after);
    }
    record::insert(tx, organization, published).await?;
    record::replace(tx, organization, &after).await?;
    let payload = payload.set(&version_field(published.version.number), journaled_version(published));
    Ok(New { kind: "document.published", subject: subject(&slug), payload })
}

/// The value of each item before and after.
fn values<'v>(before: &'v [PlacedItem], after: &'v [PlacedItem]) -> BTreeMap<&'v str, [Option<&'v str>; 2]> {
    let mut values: BTreeMap<&str, [Option<&str>; 2]> = BTreeMap::new();
    for placed in before {
        values.entry(&placed.item.id).or_default()[0] = placed.value.as_deref();
    }
    for placed in after {
        values.entry(&placed.item.id).or_default()[1] = placed.value.as_deref();
    }
    values
}

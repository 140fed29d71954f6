//! Publishing an approved version of a document.

use db::{Param, Tx};
use domain::OrgId;
use domain::document::{Document, DocumentStatus, DocumentWithItems, PublishedText};

use super::journaled::{value_field, version_field};
use super::subject;
use super::versions::journaled_version;
use crate::ledger::error::Result;
use crate::ledger::journal::New;
use crate::ledger::record;

/// Moves the changed values to the document, and stores the version. `changed` has the items whose value changes, with the
/// published value and the new one. Returns what is journaled.
pub(crate) async fn publish(
    tx: &mut Tx,
    organization: OrgId,
    before: &DocumentWithItems,
    changed: &[(&str, Option<&str>, &str)],
    published: &PublishedText,
) -> Result<New> {
    let before = &before.document;
    let after = Document {
        status: DocumentStatus::Published,
        published_version: Some(published.version.number),
        open_proposal: None,
        proposal_status: None,
        updated_date: tx.at(),
        version: before.version + 1,
        ..before.clone()
    };
    let sql = "UPDATE document_item SET value = $4 WHERE organization = $1 AND document = $2 AND id = $3";
    let mut payload = record::changes(Some(before), &after);
    for (item, before, value) in changed {
        let params: [&dyn Param; 4] = [&organization.uuid(), &after.slug, item, value];
        tx.send(sql, &params).await?;
        payload = payload.change(&value_field(item), before, Some(value));
    }
    record::insert(tx, organization, published).await?;
    record::replace(tx, organization, &after).await?;
    let payload = payload.set(&version_field(published.version.number), journaled_version(published));
    Ok(New { kind: "document.published", subject: subject(&after.slug), payload })
}

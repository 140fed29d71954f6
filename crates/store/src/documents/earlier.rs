//! A document as it was while an earlier proposal of it was open.

use db::Tx;
use domain::OrgId;
use domain::document::{DocumentWithItems, ProposedChanges, steps_from_stored};
use serde_json::{Map, Value};

use super::value_field;
use crate::ledger::dialect::fields_of_entries;
use crate::ledger::error::Result;

/// The table `entry (payload, version)` of the entries that publish the versions of the document `$2`, in the order of these.
pub(crate) const PUBLISHED_ENTRY: &str = "entry AS (
        SELECT payload, row_number() OVER (ORDER BY seq) AS version FROM journal_entry
        WHERE organization = $1 AND subject_kind = 'document' AND subject_id = $2 AND kind = 'document.published'
    )";

/// The document without what this proposal and later ones have published, as the journal tells it. What is not part of a version is
/// today's.
pub(crate) async fn as_of_proposal(
    tx: &mut Tx,
    organization: OrgId,
    present: DocumentWithItems,
    proposal: i64,
) -> Result<DocumentWithItems> {
    if present.document.published_version.is_none() {
        return Ok(present);
    }
    // A document has one open proposal at a time, so the later versions are those with later proposals. Of each field the first of
    // them tells what it was before.
    let [fields, _] = fields_of_entries(tx.engine());
    let sql = format!(
        "WITH {PUBLISHED_ENTRY}, changed AS (
        SELECT field.key AS name, CAST(field.value AS TEXT) AS pair,
               row_number() OVER (PARTITION BY field.key ORDER BY entry.version) AS place
        FROM entry {fields}
        WHERE field.key NOT LIKE 'versions/%' AND entry.version > (
            SELECT count(*) FROM document_version
            WHERE organization = $1 AND document = $2 AND proposal < $3)
    )
    SELECT name, pair FROM changed WHERE place = 1"
    );
    let slug = present.document.slug.clone();
    let rows: Vec<(String, String)> = tx.query(&sql, &[&organization.uuid(), &slug, &proposal]).await?;
    let before = |pair: &str| serde_json::from_str::<Vec<Value>>(pair).ok()?.into_iter().next();
    let before: Map<String, Value> =
        rows.into_iter().filter_map(|(name, pair)| Some((name, before(&pair)?))).collect();
    let mut document = ProposedChanges::to_some_fields(&before).overlaid(&present)?;
    for placed in &mut document.items {
        if let Some(value) = before.get(&value_field(&placed.item.id)) {
            placed.value = value.as_str().map(str::to_owned);
        }
    }
    if let Some(steps) = before.get("approval_steps") {
        document.approval_steps = steps.as_str().and_then(steps_from_stored).unwrap_or_default();
    }
    if let Some(number) = before.get("published_version") {
        document.document.published_version = number.as_i64();
    }
    Ok(document)
}

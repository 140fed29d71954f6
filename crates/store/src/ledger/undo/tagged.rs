//! Undoing changes of the tags on records without a history, whose other changes cannot be undone.

use std::collections::HashSet;

use db::{Param, Tx};
use domain::undo::{Comparison, UndoResult};

use super::{ChangedRecord, Request};
use crate::ledger::error::Result;
use crate::ledger::list::TagLink;
use crate::ledger::record::Record;
use crate::ledger::tag_links::{TagKey as _, TagLinks, keys_parameter};

/// Gives the records of this kind the tags that they had before the request, unless those were changed since.
pub(crate) async fn undo_tags<R: Record>(
    tx: &mut Tx,
    request: &Request<'_>,
    changed: &mut [ChangedRecord],
    kind: &str,
    links: &TagLinks<String>,
) -> Result<()> {
    let organization = request.organization;
    let mut records: Vec<_> =
        changed.iter_mut().filter(|it| it.record_type == kind && it.result.is_none()).collect();
    if records.is_empty() {
        return Ok(());
    }
    let keys: Vec<String> = records.iter().map(|it| it.id.clone()).collect();
    let mut states = links.states(tx, organization, &keys, request.before).await?;
    let (table, TagLink { key, .. }) = (R::TABLE, links.link);
    let wanted = String::wanted(tx.engine());
    let sql = format!("SELECT r.{key} FROM {table} AS r WHERE r.organization = $1 AND r.{key} IN ({wanted})");
    let params: [&dyn Param; 2] = [&organization.uuid(), &keys_parameter(&keys)];
    let present: Vec<(String,)> = tx.query(&sql, &params).await?;
    let present: HashSet<String> = present.into_iter().map(|(key,)| key).collect();
    let mut changes = Vec::new();
    for record in &mut records {
        let tags = states.remove(&record.id).unwrap_or_default();
        let (is_there, of_it) = (present.contains(&record.id), tags.changes());
        record.result = UndoResult::of_record(&Comparison {
            is_latest: is_there && tags.latest <= record.last_seq,
            is_as_before: is_there && of_it.is_empty(),
            former_member: None,
            obstacle: tags.obstacle(),
        });
        if record.result.is_none() {
            changes.extend(of_it.into_iter().map(|change| (record.id.clone(), change)));
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    links.journal_changes(tx, organization, request.author, &changes).await
}

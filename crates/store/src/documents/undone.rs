//! Undoing changes of the properties and tags of documents, and their archiving: by the entries about them, because documents
//! have no history.

use std::collections::{HashMap, HashSet};

use db::{Param, Tx};
use domain::UserId;
use domain::document::{Document, DocumentStatus, former_owner};
use domain::undo::{Comparison, UndoResult};
use serde_json::{Map, Value, json};

use super::cost::costs;
use super::read::among;
use super::tag_links::TAGS;
use super::write::{DELETED, replace_all};
use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::undo::{ChangedRecord, Request, UndoableKind};
use crate::ledger::{members, record};
use crate::people;

/// What entries call a document.
const TYPE: &str = "document";

/// Documents.
pub(crate) const UNDOABLE: UndoableKind = UndoableKind {
    name: TYPE,
    costs: |tx, of, slugs| Box::pin(costs(tx, of, slugs)),
    unseen: |_, _, _, _| Box::pin(async { Ok(HashSet::new()) }),
    undo: |tx, request, changed| Box::pin(undo(tx, request, changed)),
};

/// What became of the fields of a document since a request began, as its entries tell it.
#[derive(Default)]
struct Changed {
    /// What the request changed: from what, to what.
    values: Map<String, Value>,
    /// The latest entry about them.
    latest: i64,
    /// Whether the document was deleted. Another one may have its slug.
    is_deleted: bool,
    /// Whether it was archived after the request. It takes no edits.
    is_archived: bool,
}

async fn undo(tx: &mut Tx, request: &Request<'_>, changed: &mut [ChangedRecord]) -> Result<()> {
    let is_one = |it: &&mut ChangedRecord| it.record_type == TYPE && it.result.is_none();
    let mut all: Vec<_> = changed.iter_mut().filter(is_one).collect();
    if all.is_empty() {
        return Ok(());
    }
    let organization = request.organization;
    let slugs: Vec<String> = all.iter().map(|record| record.id.clone()).collect();
    let last: HashMap<&str, i64> = all.iter().map(|record| (record.id.as_str(), record.last_seq)).collect();
    let fields = changed_fields(tx, request, &slugs, &last).await?;
    let now: HashMap<String, Document> =
        among(tx, organization, &slugs).await?.into_iter().map(|it| (it.slug.clone(), it)).collect();
    let mut tags = TAGS.states(tx, organization, &slugs, request.before).await?;
    let owners: Vec<UserId> = fields.values().filter_map(|it| former_owner(&it.values)).collect();
    let people = people::named(tx, organization, owners.clone()).await?;
    let members = members::among(tx, organization, &owners).await?;
    let (mut undone, mut undone_tags) = (Vec::new(), Vec::new());
    for record in &mut all {
        // What the request did not change is left to those who changed it since, and is not in the way.
        let tags =
            tags.remove(&record.id).filter(|it| it.are_changed_by(record.last_seq)).unwrap_or_default();
        let fields = fields.get(&record.id);
        let now = now.get(&record.id).filter(|_| fields.is_none_or(|it| !it.is_deleted && !it.is_archived));
        let fields = fields.filter(|it| !it.values.is_empty());
        let former = now.zip(fields).map(|(now, it)| (now, now.former(&it.values, &people, tx.at())));
        let former = former.filter(|(now, before)| !record::changes(Some(*now), before).is_empty());
        let owner = former.as_ref().and_then(|(_, before)| before.owner.as_ref());
        let owner = owner.filter(|owner| owners.contains(&owner.id) && !members.contains(&owner.id));
        record.result = UndoResult::of_record(&Comparison {
            is_latest: now.is_some()
                && fields.is_none_or(|it| it.latest <= record.last_seq)
                && tags.are_unchanged_since(record.last_seq),
            is_as_before: now.is_some() && former.is_none() && tags.changes().is_empty(),
            former_member: owner.map(|owner| ("owner", owner)),
            obstacle: tags.obstacle(),
        });
        if record.result.is_none() {
            undone.extend(former.map(|(now, before)| (entry_kind(now), now.clone(), before)));
            undone_tags.extend(tags.changes().into_iter().map(|change| (record.id.clone(), change)));
        }
    }
    replace_all(tx, organization, request.author, &undone).await?;
    if undone_tags.is_empty() {
        return Ok(());
    }
    TAGS.journal_changes(tx, organization, request.author, &undone_tags).await
}

/// What the entries after the request began say of the fields of these documents; `last` has the request's last entry about each.
async fn changed_fields(
    tx: &mut Tx,
    request: &Request<'_>,
    slugs: &[String],
    last: &HashMap<&str, i64>,
) -> Result<HashMap<String, Changed>> {
    let sql = format!(
        "SELECT r.subject_id, r.seq, r.kind, r.payload FROM {} CROSS JOIN journal_entry AS r
         WHERE r.organization = $1 AND r.subject_kind = 'document' AND r.subject_id = wanted.item AND r.seq > $3
           AND r.kind IN ('document.updated', 'document.archived', 'document.restored', 'document.published',
                          'document.deleted')
         ORDER BY r.seq",
        wanted_texts(tx.engine(), "$2")
    );
    let params: [&dyn Param; 3] = [&request.organization.uuid(), &json!(slugs).to_string(), &request.before];
    let rows: Vec<(String, i64, String, Option<String>)> = tx.query(&sql, &params).await?;
    let mut changed: HashMap<String, Changed> = HashMap::new();
    for (slug, seq, kind, payload) in rows {
        let is_own = last.get(slug.as_str()).is_some_and(|last| seq <= *last);
        let of_it = changed.entry(slug).or_default();
        of_it.latest = seq;
        match kind.as_str() {
            DELETED => of_it.is_deleted = true,
            "document.archived" => of_it.is_archived = !is_own,
            "document.restored" => of_it.is_archived = false,
            _ => {}
        }
        if is_own {
            let payload: Option<Map<String, Value>> =
                payload.and_then(|text| serde_json::from_str(&text).ok());
            for (field, values) in payload.unwrap_or_default() {
                of_it.values.entry(field).or_insert(values);
            }
        }
    }
    Ok(changed)
}

/// The kind of the entry that tells of the undo: what is archived now is in use again.
fn entry_kind(now: &Document) -> &'static str {
    match now.status {
        DocumentStatus::Archived => "document.restored",
        DocumentStatus::Draft | DocumentStatus::Published => "document.updated",
    }
}

//! Undoing changes of the properties and tags of documents, and their archiving: by the entries about them, because documents
//! have no history.

use std::collections::{HashMap, HashSet};

use db::{Param, Tx};
use domain::UserId;
use domain::document::{Document, DocumentStatus, former_owner};
use domain::undo::{Comparison, UndoResult};
use serde_json::{Map, Value, json};

use super::read::among;
use super::tag_links::TAGS;
use super::write::replace_all;
use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::undo::{ChangedRecord, Request, UndoableKind};
use crate::ledger::{journal, members, record};
use crate::people;

/// What entries call a document.
const TYPE: &str = "document";

/// Documents.
pub(crate) const UNDOABLE: UndoableKind = UndoableKind {
    name: TYPE,
    costs: |_, _, _| Box::pin(async { Ok(HashMap::new()) }),
    unseen: |_, _, _, _| Box::pin(async { Ok(HashSet::new()) }),
    undo: |tx, request, changed| Box::pin(undo(tx, request, changed)),
};

/// What a request changed of the fields of a document, as its entries tell it: from what, to what.
type Changed = HashMap<String, Map<String, Value>>;

async fn undo(tx: &mut Tx, request: &Request<'_>, changed: &mut [ChangedRecord]) -> Result<()> {
    let is_one = |it: &&mut ChangedRecord| it.record_type == TYPE && it.result.is_none();
    let mut all: Vec<_> = changed.iter_mut().filter(is_one).collect();
    if all.is_empty() {
        return Ok(());
    }
    let organization = request.organization;
    let slugs: Vec<String> = all.iter().map(|record| record.id.clone()).collect();
    let ids: Vec<&str> = slugs.iter().map(String::as_str).collect();
    let latest = journal::latest_of_subjects(tx, organization, TYPE, &ids).await?;
    let now: HashMap<String, Document> =
        among(tx, organization, &slugs).await?.into_iter().map(|it| (it.slug.clone(), it)).collect();
    let fields = changed_fields(tx, request, &slugs).await?;
    let mut tags = TAGS.states(tx, organization, &slugs, request.before).await?;
    let owners: Vec<UserId> = fields.values().filter_map(former_owner).collect();
    let people = people::named(tx, organization, owners.clone()).await?;
    let members = members::among(tx, organization, &owners).await?;
    let (mut undone, mut undone_tags) = (Vec::new(), Vec::new());
    for record in &mut all {
        let tags = tags.remove(&record.id).unwrap_or_default();
        let now = now.get(&record.id);
        let former = now.zip(fields.get(&record.id)).map(|(now, it)| (now, now.former(it, &people, tx.at())));
        let former = former.filter(|(now, before)| !record::changes(Some(*now), before).is_empty());
        let owner = former.as_ref().and_then(|(_, before)| before.owner.as_ref());
        let owner = owner.filter(|owner| owners.contains(&owner.id) && !members.contains(&owner.id));
        record.result = UndoResult::of_record(&Comparison {
            is_latest: now.is_some() && latest.get(&record.id) == Some(&record.last_seq),
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

/// What the entries after the request began say of the fields of these documents, the earliest first.
async fn changed_fields(tx: &mut Tx, request: &Request<'_>, slugs: &[String]) -> Result<Changed> {
    let sql = format!(
        "SELECT r.subject_id, r.payload FROM {} CROSS JOIN journal_entry AS r
         WHERE r.organization = $1 AND r.subject_kind = 'document' AND r.subject_id = wanted.item AND r.seq > $3
           AND r.kind IN ('document.updated', 'document.archived')
         ORDER BY r.seq",
        wanted_texts(tx.engine(), "$2")
    );
    let params: [&dyn Param; 3] = [&request.organization.uuid(), &json!(slugs).to_string(), &request.before];
    let rows: Vec<(String, Option<String>)> = tx.query(&sql, &params).await?;
    let mut changed = Changed::new();
    for (slug, payload) in rows {
        let payload: Option<Map<String, Value>> = payload.and_then(|text| serde_json::from_str(&text).ok());
        let of_it = changed.entry(slug).or_default();
        for (field, values) in payload.unwrap_or_default() {
            of_it.entry(field).or_insert(values);
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

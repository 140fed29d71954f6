//! Undoing the change of a tag, its merge or its deletion: by the entry about it, because tags have no history.

use std::collections::{HashMap, HashSet};

use db::{Param, Tx, Value};
use domain::tag::{Color, Tag, TagName};
use domain::text::{ProseOrEmpty, folded};
use domain::undo::{Comparison, UndoResult};
use domain::{TagId, time};
use jiff::Timestamp;
use serde_json::Value as Json;

use super::{ChangedRecord, Request, UndoableKind};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Subject};
use crate::ledger::record;

/// What entries call a tag.
pub(crate) const TYPE: &str = "tag";

/// Tags. They come before what they are on.
pub(crate) const TAG_RECORDS: UndoableKind = UndoableKind {
    name: TYPE,
    costs: |_, _, _| Box::pin(async { Ok(HashMap::new()) }),
    unseen: |_, _, _, _| Box::pin(async { Ok(HashSet::new()) }),
    undo: |tx, request, changed| Box::pin(undo(tx, request, changed)),
};

/// A request changes one tag at most, or makes some, which is not undone.
async fn undo(tx: &mut Tx, request: &Request<'_>, changed: &mut [ChangedRecord]) -> Result<()> {
    for record in changed.iter_mut().filter(|it| it.record_type == TYPE && it.result.is_none()) {
        record.result = undo_one(tx, request, record).await?;
    }
    Ok(())
}

/// What became of the tag; none if it was undone.
async fn undo_one(tx: &mut Tx, request: &Request<'_>, record: &ChangedRecord) -> Result<Option<UndoResult>> {
    let organization = request.organization;
    let id = TagId::parse(&record.id).map(|id| Value::Uuid(id.uuid()));
    let now: Option<Tag> = match id {
        Some(id) => record::find(tx, organization, &[id]).await?,
        None => None,
    };
    let entries = journal::list_of_numbers(tx, organization, &[record.last_seq]).await?;
    let payload = entries.first().and_then(|entry| serde_json::from_str(entry.payload.as_deref()?).ok());
    let (Some(now), Some(payload)) = (now, payload) else {
        return Err(domain::Error::Internal(format!("tag {} has no entry", record.id)).into());
    };
    let before = before(&now, &payload, tx.at());
    let payload = record::changes(Some(&now), &before);
    let result = UndoResult::of_record(&Comparison {
        is_latest: now.seq_from == record.last_seq,
        is_as_before: payload.is_empty(),
        former_member: None,
        obstacle: is_taken(tx, request, &before).await?.then_some("Another tag has its name."),
    });
    if result.is_none() {
        let kind = match (now.deleted_date, before.deleted_date) {
            (Some(_), None) => "tag.restored",
            (None, Some(_)) if before.merged_into.is_some() => "tag.merged",
            (None, Some(_)) => "tag.deleted",
            _ => "tag.updated",
        };
        let subject = Subject::new(TYPE, &record.id);
        let seq_from = journal::append(tx, organization, request.author, kind, subject, payload).await?;
        record::replace(tx, organization, &Tag { seq_from, ..before }).await?;
    }
    Ok(result)
}

/// The tag as it was before the entry with this payload, as a state that begins at `at`.
fn before(now: &Tag, payload: &Json, at: Timestamp) -> Tag {
    let mut tag = Tag { updated_date: at, version: now.version + 1, ..now.clone() };
    for (field, values) in payload.as_object().into_iter().flatten() {
        let value = values.get(0).and_then(Json::as_str);
        match (field.as_str(), value) {
            ("name", Some(name)) => tag.name = TagName::stored(name),
            ("color", Some(color)) => tag.color = Color::stored(color),
            ("description", value) => tag.description = value.map(ProseOrEmpty::stored),
            ("merged_into", value) => tag.merged_into = value.and_then(TagId::parse),
            ("deleted_date", value) => tag.deleted_date = value.and_then(time::parse),
            _ => {}
        }
    }
    tag
}

/// Whether another tag has the name of this one, which is to be there.
async fn is_taken(tx: &mut Tx, request: &Request<'_>, tag: &Tag) -> Result<bool> {
    if tag.deleted_date.is_some() {
        return Ok(false);
    }
    let sql = "SELECT count(*) FROM tag
               WHERE organization = $1 AND name_folded = $2 AND id <> $3 AND deleted_date IS NULL";
    let params: [&dyn Param; 3] = [&request.organization.uuid(), &folded(&tag.name), &tag.id.uuid()];
    let (count,): (i64,) = tx.query_one(sql, &params).await?;
    Ok(count > 0)
}

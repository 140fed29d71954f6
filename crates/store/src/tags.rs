//! Tags of an organization.

use std::collections::{HashMap, HashSet};

use db::{Tx, Value};
use domain::tag::{NewTag, Tag, TagName};
use domain::text::folded;
use domain::{Author, Error, ErrorCode, FaultCode, Faults, OrgId, ResourceKind, Scope, TagId};
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Subject};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored, record};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};
use crate::ledger::view::View;

record! {
    Tag in "tag" {
        id: Plain => Key,
        name: Folded => Journaled,
        color: Plain => Journaled,
        description: Plain => Journaled,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        version: Plain => Counted,
        seq_from: Plain => Counted,
    }
}

/// Tags that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// The order of tags: by name, without regard to case.
const ORDER: &[&str] = &["name_folded"];

/// Makes a tag. A name that is in use, in whatever case, is a conflict.
#[boxed]
pub async fn create(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewTag) -> Result<Tag> {
    let mut tag = new.create(TagId(tx.uuid()), tx.at());
    let payload = record::changes(None, &tag);
    tag.seq_from = journal::append(tx, organization, author, "tag.created", subject(tag.id), payload).await?;
    if !record::insert_unless_taken(tx, organization, &tag).await? {
        return Err(Error::Conflict(ErrorCode::NameTaken).into());
    }
    Ok(tag)
}

/// The ids of the tags with these names, each once, in their order. Those that there are not are made, if the author may. The number of
/// statements does not grow with each.
pub(crate) async fn named_or_made(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    names: &[TagName],
) -> Result<Vec<TagId>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let found: Vec<Stored<Tag>> = named(organization, names).all(tx).await?;
    let mut ids: HashMap<String, TagId> =
        found.into_iter().map(|Stored(tag)| (folded(&tag.name), tag.id)).collect();
    let mut known: HashSet<String> = ids.keys().cloned().collect();
    let missing: Vec<(usize, &TagName)> =
        names.iter().enumerate().filter(|(_, name)| known.insert(folded(name))).collect();
    if !missing.is_empty() {
        for tag in make_all(tx, organization, author, &missing).await? {
            ids.insert(folded(&tag.name), tag.id);
        }
    }
    // Each once, in the order of the names.
    Ok(names.iter().filter_map(|name| ids.remove(&folded(name))).collect())
}

/// Makes tags with these names, each with its place among those that were sent.
async fn make_all(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    names: &[(usize, &TagName)],
) -> Result<Vec<Tag>> {
    let needed = Scope::TagsWrite.into();
    author.permissions.note_required(needed);
    if author.scopes().require_all(needed).is_err() {
        let mut faults = Faults::new();
        for (place, _) in names {
            let detail = "is no tag yet, and making one needs the scope tags:write";
            faults.add(format_args!("#/tags/{place}"), FaultCode::UnknownTag, detail);
        }
        return Err(Error::Invalid(faults).into());
    }
    let at = tx.at();
    let new = |name: &TagName| NewTag { name: name.clone(), color: None, description: None };
    let mut tags: Vec<Tag> = names.iter().map(|(_, name)| new(name).create(TagId(tx.uuid()), at)).collect();
    let entry = |tag: &Tag| New {
        kind: "tag.created",
        subject: subject(tag.id),
        payload: record::changes(None, tag),
    };
    let entries = tags.iter().map(entry).collect();
    let count = i64::try_from(names.len()).unwrap_or(i64::MAX);
    let last = journal::append_all(tx, organization, author, entries).await?;
    for (tag, seq) in tags.iter_mut().zip(last - count + 1..) {
        tag.seq_from = seq;
    }
    record::insert_all(tx, organization, &tags).await?;
    Ok(tags)
}

/// The subject of a tag's entries.
fn subject(id: TagId) -> Subject {
    Subject::new("tag", id.to_string())
}

/// One tag.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, id: TagId) -> Result<Tag> {
    let found = all(organization).filter(Filter::is("id", id.uuid().into())).one(tx).await?;
    let Stored(tag) = found.ok_or(Error::NotFound(ResourceKind::Tag))?;
    Ok(tag)
}

/// Those of these tags that there are.
#[boxed]
pub async fn get_many(tx: &mut Tx, organization: OrgId, ids: &[TagId]) -> Result<Vec<Tag>> {
    let ids = ids.iter().map(|id| id.uuid().into()).collect();
    let found: Vec<Stored<Tag>> = all(organization).filter(Filter::OneOf("id", ids)).all(tx).await?;
    Ok(found.into_iter().map(|Stored(tag)| tag).collect())
}

/// Up to `limit` tags by name, without regard to case: those after the name `after`. With `names` only the tags that have one
/// of these.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    names: &[String],
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    let after = after.map(|name| Value::from(folded(name)));
    let page = named(organization, names).order(ORDER, Direction::Ascending, after).page(tx, limit).await?;
    Ok(page.map(|Stored(tag)| tag))
}

/// How many tags there are; with `names` those that have one of these.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, names: &[String]) -> Result<i64> {
    named(organization, names).count(tx).await
}

fn named<'q>(organization: OrgId, names: &[impl AsRef<str>]) -> Select<'q, Tag> {
    if names.is_empty() {
        return all(organization);
    }
    let names = names.iter().map(|name| Value::from(folded(name.as_ref()))).collect();
    all(organization).filter(Filter::OneOf("name_folded", names))
}

fn all<'q>(organization: OrgId) -> Select<'q, Tag> {
    Select::of(organization, View::with_deleted())
}

/// The next tags, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Tag>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|tag| {
        let recorded = Recorded::of(subject(tag.id), &tag).made(Made::at(tag.created_date));
        Recorded { seq_from: Some(tag.seq_from), ..recorded }
    }))
}

//! Tags of an organization.

mod links;

use db::{Tx, Value};
use domain::tag::{NewTag, Tag};
use domain::text::folded;
use domain::{Author, Error, OrgId, ResourceKind, TagId};
use macros::boxed;

pub(crate) use links::TagLinks;

use crate::error::Result;
use crate::journal::{self, Subject};
use crate::list::{Direction, Filter, Select};
use crate::page::Page;
use crate::record::{self, Stored, record};
use crate::records::page::{Cursor, RecordPage};
use crate::verify::recorded::{Made, Recorded};
use crate::view::View;

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
        return Err(Error::Conflict { code: "name_taken", title: "The name is in use" }.into());
    }
    Ok(tag)
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

fn named<'q>(organization: OrgId, names: &[String]) -> Select<'q, Tag> {
    if names.is_empty() {
        return all(organization);
    }
    let names = names.iter().map(|name| Value::from(folded(name))).collect();
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

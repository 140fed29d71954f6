//! Merging a tag into another one, and deleting it. The tag goes first, so that it is put on no other record meanwhile; then
//! it is taken off its records, in writes that are short enough for others not to wait.

use db::{Param, Tx};
use domain::tag::Tag;
use domain::{Author, Error, ErrorCode, ExpectedVersion, FaultCode, OrgId, ResourceKind, TagId};
use macros::boxed;
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::list::TagLink;
use crate::ledger::tag_links::{TagChange, TagKey, TagLinks};
use crate::ledger::undo::continued;
use crate::ledger::{journal, record};
use crate::{documents, incidents, risks, tags};

/// The most records that one write takes the tag off: each has two entries and two rows.
const MOST: usize = 250;

/// A tag that is merged or deleted.
#[derive(Debug, Clone)]
pub struct Removal {
    tag: TagId,
    into: Option<TagId>,
    detach: bool,
    expected: ExpectedVersion,
    records: usize,
    /// The last journal entry before it.
    after: i64,
}

impl Removal {
    /// How many items it is done in: the tag, and each record that has it.
    pub fn count(&self) -> usize {
        self.records + 1
    }
}

/// Begins to merge a tag into another one, or to delete it, in a read. Without `detach` a tag that records have is not
/// deleted. It is removed only if it has an `expected` version.
#[boxed]
pub async fn begin(
    tx: &mut Tx,
    organization: OrgId,
    tag: TagId,
    into: Option<TagId>,
    detach: bool,
    expected: ExpectedVersion,
) -> Result<Removal> {
    let records = usize::try_from(uses(tx, organization, tag).await?).unwrap_or(usize::MAX);
    let after = journal::head(tx, organization).await?.seq;
    Ok(Removal { tag, into, detach: detach || into.is_some(), expected, records, after })
}

/// On how many records a tag is.
async fn uses(tx: &mut Tx, organization: OrgId, tag: TagId) -> Result<i64> {
    let on = [count(&incidents::TAGS), count(&risks::TAGS), count(&documents::TAGS)];
    let sql = format!("SELECT {}", on.join(" + "));
    let (count,) = tx.query_one(&sql, &[&organization.uuid(), &tag.uuid()]).await?;
    Ok(count)
}

/// A query that counts the records of a kind that the tag is on.
fn count<K: TagKey>(TagLinks { link: TagLink { table, record, .. }, .. }: &TagLinks<K>) -> String {
    let least = K::LEAST;
    format!(
        "(SELECT count(*) FROM {table} WHERE organization = $1 AND tag = $2 AND {record} > {least} AND seq_to IS NULL)"
    )
}

/// Does as many items after the first `done` as one write may. The first is the tag: with the tag that it was merged into, or
/// itself. Belongs into `Db::write_alone`.
#[boxed]
pub async fn remove(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    removal: &Removal,
    done: usize,
) -> Result<Vec<Option<Tag>>> {
    let left = removal.count().saturating_sub(done);
    let items = left.min(MOST);
    // The last write takes it off all that still have it.
    let mut most = i64::try_from(if left > MOST { items } else { usize::MAX }).unwrap_or(i64::MAX);
    let head = tx.head(organization)?.seq;
    let mut made = vec![None; items];
    if let (0, Some(first)) = (done, made.first_mut()) {
        *first = Some(remove_tag(tx, organization, author, removal).await?);
    }
    most -= take_off(tx, organization, author, removal, (&incidents::TAGS, most)).await?;
    most -= take_off(tx, organization, author, removal, (&risks::TAGS, most)).await?;
    take_off(tx, organization, author, removal, (&documents::TAGS, most)).await?;
    if done > 0 && tx.head(organization)?.seq > head {
        continued::note(tx, organization, head + 1, removal.after).await?;
    }
    Ok(made)
}

/// Marks the tag as merged or deleted. One that was, and is still on records, is taken off them: the process ended between two
/// writes.
async fn remove_tag(tx: &mut Tx, organization: OrgId, author: &Author, removal: &Removal) -> Result<Tag> {
    let Removal { tag, into, detach, expected, .. } = removal;
    let ids: Vec<TagId> = [Some(*tag), *into].into_iter().flatten().collect();
    let found = tags::get_many(tx, organization, &ids).await?;
    let named = |id: TagId| found.iter().find(|it| it.id == id);
    let before = named(*tag).ok_or(Error::NotFound(ResourceKind::Tag))?;
    // Counted in this write: another request may have finished meanwhile.
    let is_deleted = before.deleted_date.is_some();
    let is_used = (is_deleted || !detach) && uses(tx, organization, *tag).await? > 0;
    let is_begun = is_deleted && before.merged_into == *into && is_used;
    if is_deleted && !is_begun {
        return Err(Error::NotFound(ResourceKind::Tag).into());
    }
    let target = match into {
        None => before,
        Some(into) => {
            named(*into).filter(|it| it.deleted_date.is_none() && it.id != *tag).ok_or_else(|| {
                Error::invalid(
                    "#/into",
                    FaultCode::UnknownTag,
                    "must be the id of another tag of the organization",
                )
            })?
        }
    };
    expected.check(before.version)?;
    if !is_begun {
        if !detach && is_used {
            return Err(Error::Conflict(ErrorCode::TagInUse).into());
        }
        let after = before.clone().removed(*into, tx.at());
        let kind = if into.is_some() { "tag.merged" } else { "tag.deleted" };
        let payload = record::changes(Some(before), &after);
        let seq_from = journal::append(tx, organization, author, kind, tags::subject(*tag), payload).await?;
        record::replace(tx, organization, &Tag { seq_from, ..after }).await?;
    }
    Ok(target.clone())
}

/// Takes the tag off up to `most` records of a kind, by key, and puts the other one on those that lack it. Returns how many
/// they were.
async fn take_off<K: TagKey>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    removal: &Removal,
    (links, most): (&TagLinks<K>, i64),
) -> Result<i64> {
    let (TagLink { table, record, .. }, least) = (links.link, K::LEAST);
    let sql = format!(
        "SELECT link.{record}, (SELECT count(*) FROM {table} AS other
             WHERE other.organization = $1 AND other.{record} = link.{record} AND other.tag = $3
               AND other.seq_to IS NULL)
         FROM {table} AS link WHERE link.organization = $1 AND link.tag = $2 AND link.{record} > {least}
           AND link.seq_to IS NULL
         ORDER BY link.{record} LIMIT $4"
    );
    let into = removal.into.map_or(Uuid::nil(), TagId::uuid);
    let params: [&dyn Param; 4] = [&organization.uuid(), &removal.tag.uuid(), &into, &most];
    let found: Vec<(K, i64)> = tx.query(&sql, &params).await?;
    let mut changes: Vec<(K, TagChange)> = Vec::with_capacity(2 * found.len());
    for (key, has_other) in &found {
        changes.push((key.clone(), TagChange { tag: removal.tag, is_added: false }));
        if let (Some(tag), 0) = (removal.into, has_other) {
            changes.push((key.clone(), TagChange { tag, is_added: true }));
        }
    }
    if !changes.is_empty() {
        links.journal_changes(tx, organization, author, &changes).await?;
    }
    Ok(i64::try_from(found.len()).unwrap_or(i64::MAX))
}

//! Tags on records, whatever kind they are. A link is ended, never deleted, so that the past still shows it. A record's
//! version and dates stay when a tag is added to it or removed.

mod read;

use std::hash::Hash;

use db::{Column, Engine, Param, Tx, Value};
use domain::tag::{MAX_PER_RECORD, Tag};
use domain::{Author, Error, FaultCode, OrgId, ResourceKind, TagId};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use crate::ledger::dialect::{wanted_numbers, wanted_texts};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Payload, Subject};
use crate::ledger::list::TagLink;
use crate::ledger::record;

/// A tag that is to be added to a record or removed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TagChange {
    pub(crate) tag: TagId,
    pub(crate) is_added: bool,
}

/// What names a record in the table of its tags: its number, or the slug of a document.
pub trait TagKey: Param + Column + Clone + Eq + Hash + Serialize + Send + Sync + 'static {
    /// What every key is greater than, in SQL.
    const LEAST: &'static str;

    /// A query of the keys in the parameter `$2`, which [`keys_parameter`] makes.
    fn wanted(engine: Engine) -> String;
}

impl TagKey for i64 {
    const LEAST: &'static str = "0";

    fn wanted(engine: Engine) -> String {
        format!("SELECT wanted.number FROM {}", wanted_numbers(engine))
    }
}

impl TagKey for String {
    const LEAST: &'static str = "''";

    fn wanted(engine: Engine) -> String {
        format!("SELECT wanted.item FROM {}", wanted_texts(engine, "$2"))
    }
}

/// The parameter for several keys.
pub(crate) fn keys_parameter<K: Serialize>(keys: impl IntoIterator<Item = K>) -> String {
    json!(keys.into_iter().collect::<Vec<_>>()).to_string()
}

/// How tags are on a kind of record.
#[derive(Clone, Copy)]
pub struct TagLinks<K = i64> {
    /// The table of the links.
    pub(crate) link: TagLink,
    /// The subject of a record's entries.
    pub(crate) subject: fn(&K) -> Subject,
    /// The kind of the entry for a tag that was added.
    pub(crate) added: &'static str,
    /// The kind of the entry for a tag that was removed.
    pub(crate) removed: &'static str,
    /// What is not found, where the record or the tag may be missing.
    pub missing: ResourceKind,
    /// The kind of the record.
    pub(crate) record: ResourceKind,
    /// What a sentence about a record begins with, such as `A risk`.
    pub(crate) noun: &'static str,
}

/// Refuses a tag that there is not.
pub(crate) async fn require_tag(tx: &mut Tx, organization: OrgId, tag: TagId) -> Result<()> {
    let found: Option<Tag> = record::find(tx, organization, &[Value::Uuid(tag.uuid())]).await?;
    found
        .filter(|tag| tag.deleted_date.is_none())
        .map(drop)
        .ok_or_else(|| Error::NotFound(ResourceKind::Tag).into())
}

/// What there is of a tag and a record. The organization's head is held, so it stays.
struct Found {
    /// Whether there is such a tag.
    exists: bool,
    /// Whether it is on the record.
    is_on: bool,
    /// How many tags are on the record.
    count: i64,
}

impl<K: TagKey> TagLinks<K> {
    /// The entry for a tag that is added or removed: its field is true while the tag is on the record.
    pub(crate) fn entry(&self, key: &K, tag: TagId, is_added: bool) -> New {
        let (field, payload) = (field(tag), Payload::new());
        let (kind, payload) = match is_added {
            true => (self.added, payload.set(&field, true)),
            false => (self.removed, payload.gone(&field, true)),
        };
        New { kind, subject: (self.subject)(key), payload }
    }

    /// The same answer, whether the record or the tag is missing.
    pub(crate) fn either(&self, error: crate::Error) -> crate::Error {
        match error.0 {
            Error::NotFound(_) => Error::NotFound(self.missing).into(),
            _ => error,
        }
    }

    /// Adds a tag to a record that exists. One that is on it already is a conflict.
    pub(crate) async fn add(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        key: &K,
        tag: TagId,
    ) -> Result<()> {
        match self.put(tx, organization, author, key, tag).await? {
            true => Ok(()),
            false => Err(Error::TagAlreadyAssociated(self.record).into()),
        }
    }

    /// Adds a tag to a record that exists, unless it is on it already; whether it was added.
    pub(crate) async fn put(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        key: &K,
        tag: TagId,
    ) -> Result<bool> {
        let Found { exists, is_on, count } = self.find(tx, organization, key, tag).await?;
        if !exists {
            return Err(Error::NotFound(self.missing).into());
        }
        if is_on {
            return Ok(false);
        }
        self.require_room(usize::try_from(count).unwrap_or(usize::MAX), 1, "#/tag_id")?;
        let seq = self.journal(tx, organization, author, (key, tag), true).await?;
        tx.send(&self.begin(), &[&organization.uuid(), key, &tag.uuid(), &seq]).await?;
        Ok(true)
    }

    /// Refuses more tags than a record may have.
    fn require_room(&self, on: usize, more: usize, pointer: &str) -> Result<()> {
        if on + more > MAX_PER_RECORD {
            let detail = format!("{} has at most {MAX_PER_RECORD} tags.", self.noun);
            return Err(Error::invalid(pointer, FaultCode::TooManyTags, detail).into());
        }
        Ok(())
    }

    /// Adds these tags, which exist, to a record that was made in this write.
    pub(crate) async fn add_all(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        key: &K,
        tags: &[TagId],
    ) -> Result<()> {
        if tags.is_empty() {
            return Ok(());
        }
        let changes: Vec<_> =
            tags.iter().map(|tag| (key.clone(), TagChange { tag: *tag, is_added: true })).collect();
        self.journal_changes(tx, organization, author, &changes).await
    }

    /// Adds and removes tags, and journals it: each change with the key of its record.
    pub(crate) async fn journal_changes(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        changes: &[(K, TagChange)],
    ) -> Result<()> {
        if changes.is_empty() {
            return Ok(());
        }
        let entry = |(key, change): &(K, TagChange)| self.entry(key, change.tag, change.is_added);
        let count = i64::try_from(changes.len()).unwrap_or(i64::MAX);
        let entries = changes.iter().map(entry).collect();
        let last = journal::append_all(tx, organization, author, entries).await?;
        let numbered = changes.iter().zip(last - count + 1..);
        let changes: Vec<_> = numbered.map(|((key, change), seq)| (key.clone(), *change, seq)).collect();
        self.write_changes(tx, organization, &changes).await
    }

    /// Adds those of these tags, which exist, that have never been on a record; with `again` also those that somebody has
    /// removed from it.
    pub(crate) async fn add_new(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        (key, tags, again): (&K, &[TagId], bool),
    ) -> Result<()> {
        let TagLink { table, record, .. } = self.link;
        let sql =
            format!("SELECT tag, seq_to IS NULL FROM {table} WHERE organization = $1 AND {record} = $2");
        let known: Vec<(Uuid, bool)> = tx.query(&sql, &[&organization.uuid(), key]).await?;
        let is_known = |tag: &&TagId| known.iter().any(|(id, is_on)| *id == tag.uuid() && (*is_on || !again));
        let added: Vec<TagId> = tags.iter().filter(|tag| !is_known(tag)).copied().collect();
        let on = known.iter().filter(|(_, is_on)| *is_on).count();
        self.require_room(on, added.len(), "#/tags")?;
        self.add_all(tx, organization, author, key, &added).await
    }

    /// Removes a tag from a record that exists.
    pub(crate) async fn remove(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        key: &K,
        tag: TagId,
    ) -> Result<()> {
        if !self.find(tx, organization, key, tag).await?.is_on {
            return Err(Error::NotFound(self.missing).into());
        }
        let seq = self.journal(tx, organization, author, (key, tag), false).await?;
        tx.send(&self.end(), &[&organization.uuid(), key, &tag.uuid(), &seq]).await?;
        Ok(())
    }

    async fn journal(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        (key, tag): (&K, TagId),
        is_added: bool,
    ) -> Result<i64> {
        let New { kind, subject, payload } = self.entry(key, tag, is_added);
        journal::append(tx, organization, author, kind, subject, payload).await
    }

    /// Adds and removes tags: each change with the key of its record and the number of its entry.
    pub(crate) async fn write_changes(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        changes: &[(K, TagChange, i64)],
    ) -> Result<()> {
        let organization = organization.uuid();
        for (sql, is_added) in [(self.end(), false), (self.begin(), true)] {
            let chosen = changes.iter().filter(|(_, change, _)| change.is_added == is_added);
            let rows: Vec<(&K, Uuid, i64)> =
                chosen.map(|(key, change, seq)| (key, change.tag.uuid(), *seq)).collect();
            let params: Vec<[&dyn Param; 4]> = rows
                .iter()
                .map(|(key, tag, seq)| -> [&dyn Param; 4] { [&organization, *key, tag, seq] })
                .collect();
            if !params.is_empty() {
                tx.send_many(&sql, &params).await?;
            }
        }
        Ok(())
    }

    /// The statement that begins a link: organization, record, tag, entry.
    pub(crate) fn begin(&self) -> String {
        let TagLink { table, record, .. } = self.link;
        format!("INSERT INTO {table} (organization, {record}, tag, seq_from) VALUES ($1, $2, $3, $4)")
    }

    /// The statement that ends a link: organization, record, tag, entry.
    pub(crate) fn end(&self) -> String {
        let TagLink { table, record, .. } = self.link;
        format!(
            "UPDATE {table} SET seq_to = $4
             WHERE organization = $1 AND {record} = $2 AND tag = $3 AND seq_to IS NULL"
        )
    }

    async fn find(&self, tx: &mut Tx, organization: OrgId, key: &K, tag: TagId) -> Result<Found> {
        let TagLink { table, record, .. } = self.link;
        let sql = format!(
            "SELECT (SELECT count(*) FROM tag
                  WHERE tag.organization = $1 AND tag.id = $3 AND tag.deleted_date IS NULL), count(*),
                 CAST(COALESCE(MAX(CASE WHEN tag = $3 THEN 1 ELSE 0 END), 0) AS BIGINT)
             FROM {table} WHERE organization = $1 AND {record} = $2 AND seq_to IS NULL"
        );
        let params: [&dyn Param; 3] = [&organization.uuid(), key, &tag.uuid()];
        let (known, count, is_on): (i64, i64, i64) = tx.query_one(&sql, &params).await?;
        Ok(Found { exists: known == 1, is_on: is_on == 1, count })
    }

    /// How many tags are on a record.
    pub(crate) async fn count(&self, tx: &mut Tx, organization: OrgId, key: &K) -> Result<i64> {
        let TagLink { table, record, .. } = self.link;
        let sql = format!(
            "SELECT count(*) FROM {table} WHERE organization = $1 AND {record} = $2 AND seq_to IS NULL"
        );
        let (count,) = tx.query_one(&sql, &[&organization.uuid(), key]).await?;
        Ok(count)
    }
}

/// The field of a record's entries for one tag.
fn field(tag: TagId) -> String {
    format!("tags/{tag}")
}

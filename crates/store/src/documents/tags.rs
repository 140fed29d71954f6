//! Adding tags to documents and removing them. A document's version and dates stay when they change.

use std::collections::HashSet;

use db::Tx;
use domain::document::{Document, DocumentStatus};
use domain::tag::Tag;
use domain::{Author, Error, ErrorCode, OrgId, TagId};
use macros::boxed;

use super::read;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::page::Page;
use crate::ledger::record;
use crate::ledger::tag_links::TagChange;
use crate::tags::Named;

/// Adds a tag to a document; it may have 50.
#[boxed]
pub async fn add_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    tag: TagId,
) -> Result<()> {
    require_in_use(tx, organization, slug).await?;
    TAGS.add(tx, organization, author, &slug.to_owned(), tag).await
}

/// Adds a tag to a document, unless it is on it already.
#[boxed]
pub async fn put_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    tag: TagId,
) -> Result<()> {
    require_in_use(tx, organization, slug).await?;
    TAGS.put(tx, organization, author, &slug.to_owned(), tag).await.map(drop)
}

/// Removes a tag from a document.
#[boxed]
pub async fn remove_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    tag: TagId,
) -> Result<()> {
    require_in_use(tx, organization, slug).await?;
    TAGS.remove(tx, organization, author, &slug.to_owned(), tag).await
}

/// Refuses a document that there is not, and one that is archived, which stays as it is.
async fn require_in_use(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<()> {
    let found: Option<Document> = record::find(tx, organization, &[slug.into()]).await?;
    let document = found.ok_or(Error::NotFound(TAGS.missing))?;
    require_unarchived(&document)
}

fn require_unarchived(document: &Document) -> Result<()> {
    match document.status {
        DocumentStatus::Archived => Err(Error::Conflict(ErrorCode::DocumentArchived).into()),
        DocumentStatus::Draft | DocumentStatus::Published => Ok(()),
    }
}

/// Gives a document these tags and no others; whether that changes anything.
pub(super) async fn set_tags(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    document: &Document,
    tags: Named<'_>,
) -> Result<bool> {
    let wanted = tags.or_made(tx, organization, author).await?;
    let chosen: HashSet<TagId> = wanted.iter().copied().collect();
    let present: HashSet<TagId> = document.tags.iter().map(|tag| tag.id).collect();
    let removed = document.tags.iter().map(|tag| tag.id).filter(|tag| !chosen.contains(tag));
    let removed = removed.map(|tag| TagChange { tag, is_added: false });
    let added = wanted.into_iter().filter(|tag| !present.contains(tag));
    let added = added.map(|tag| TagChange { tag, is_added: true });
    let changes: Vec<_> = removed.chain(added).map(|change| (document.slug.clone(), change)).collect();
    if changes.is_empty() {
        return Ok(false);
    }
    require_unarchived(document)?;
    TAGS.journal_changes(tx, organization, author, &changes).await?;
    Ok(true)
}

/// How many tags are on a document.
#[boxed]
pub async fn count_tags(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<i64> {
    TAGS.count(tx, organization, &slug.to_owned()).await
}

/// Up to `limit` tags of a document by name, without regard to case: those after the name `after`.
#[boxed]
pub async fn list_tags(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    read::require(tx, organization, slug).await?;
    TAGS.list(tx, organization, &slug.to_owned(), after, limit).await
}

//! The tags on a record that its author sees. Its version and dates stay when they change.

use db::Tx;
use domain::incident::Viewer;
use domain::tag::Tag;
use domain::{Author, OrgId, RecordNumber as _, TagId};

use super::{Listed, Number};
use crate::ledger::error::Result;
use crate::ledger::page::Page;

/// Adds a tag to a record; it may have 50.
pub async fn add_tag<R: Listed>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: Number<R>,
    tag: TagId,
) -> Result<()> {
    require::<R>(tx, organization, author, number).await?;
    R::TAGS.add(tx, organization, author, &number.number(), tag).await
}

/// Adds a tag to a record, unless it is on it already.
pub async fn put_tag<R: Listed>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: Number<R>,
    tag: TagId,
) -> Result<()> {
    require::<R>(tx, organization, author, number).await?;
    R::TAGS.put(tx, organization, author, &number.number(), tag).await.map(drop)
}

/// Removes a tag from a record.
pub async fn remove_tag<R: Listed>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: Number<R>,
    tag: TagId,
) -> Result<()> {
    require::<R>(tx, organization, author, number).await?;
    R::TAGS.remove(tx, organization, author, &number.number(), tag).await
}

/// The same is not found, whether the record or the tag is missing.
async fn require<R: Listed>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: Number<R>,
) -> Result<()> {
    R::REQUIRE(tx, organization, &Viewer::of(author), number).await.map_err(|error| R::TAGS.either(error))
}

/// How many tags are on a record, whoever sees it.
pub async fn count_tags<R: Listed>(tx: &mut Tx, organization: OrgId, number: Number<R>) -> Result<i64> {
    R::TAGS.count(tx, organization, &number.number()).await
}

/// Up to `limit` tags of a record by name, without regard to case: those after the name `after`.
pub async fn list_tags<R: Listed>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    number: Number<R>,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    R::REQUIRE(tx, organization, viewer, number).await?;
    R::TAGS.list(tx, organization, &number.number(), after, limit).await
}

//! The tags on a risk.

use db::Tx;
use domain::tag::Tag;
use domain::{Author, OrgId, RiskNumber, TagId};
use macros::boxed;

use super::read;
use super::tag_links::TAGS;
use crate::error::Result;
use crate::page::Page;
use crate::view::View;

/// Adds a tag to a risk, which may have 50. The risk's version and dates stay.
#[boxed]
pub async fn add_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    tag: TagId,
) -> Result<()> {
    let found = read::get_without_tags(tx, organization, number, View::now()).await;
    found.map_err(|error| TAGS.either(error))?;
    TAGS.add(tx, organization, author, number.number(), tag).await
}

/// Adds a tag to a risk, unless it is on it already. The risk's version and dates stay.
#[boxed]
pub async fn put_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    tag: TagId,
) -> Result<()> {
    let found = read::get_without_tags(tx, organization, number, View::now()).await;
    found.map_err(|error| TAGS.either(error))?;
    TAGS.put(tx, organization, author, number.number(), tag).await.map(|_| ())
}

/// Removes a tag from a risk. The risk's version and dates stay.
#[boxed]
pub async fn remove_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    tag: TagId,
) -> Result<()> {
    let found = read::get_without_tags(tx, organization, number, View::now()).await;
    found.map_err(|error| TAGS.either(error))?;
    TAGS.remove(tx, organization, author, number.number(), tag).await
}

/// How many tags are on a risk, deleted or not.
#[boxed]
pub async fn count_tags(tx: &mut Tx, organization: OrgId, number: RiskNumber) -> Result<i64> {
    TAGS.count(tx, organization, number.number()).await
}

/// Up to `limit` tags of a risk by name, without regard to case: those after the name `after`.
#[boxed]
pub async fn list_tags(
    tx: &mut Tx,
    organization: OrgId,
    number: RiskNumber,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    read::get_without_tags(tx, organization, number, View::now()).await?;
    TAGS.list(tx, organization, number.number(), after, limit).await
}

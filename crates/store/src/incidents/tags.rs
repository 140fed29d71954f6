//! The tags on an incident.

use db::Tx;
use domain::incident::Viewer;
use domain::tag::Tag;
use domain::{Author, IncidentNumber, OrgId, ResourceKind, TagId};
use macros::boxed;

use super::{read, subject};
use crate::error::Result;
use crate::list::TagLink;
use crate::page::Page;
use crate::tag_links::TagLinks;
use crate::view::View;

/// How tags are on incidents.
pub(crate) const TAGS: TagLinks = TagLinks {
    link: TagLink { table: "incident_tag", record: "incident" },
    subject: |number| subject(IncidentNumber(number)),
    added: "incident.tag_added",
    removed: "incident.tag_removed",
    missing: ResourceKind::IncidentOrTag,
    already: "Tag already associated with incident",
    noun: "An incident",
};

/// Adds a tag to an incident that the author sees; it may have 50. The incident's version and dates stay.
#[boxed]
pub async fn add_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    tag: TagId,
) -> Result<()> {
    let found = read::get(tx, organization, &Viewer::of(author), number, View::now()).await;
    found.map_err(|error| TAGS.either(error))?;
    TAGS.add(tx, organization, author, number.number(), tag).await
}

/// Adds a tag to an incident that the author sees, unless it is on it already. The incident's version and dates stay.
#[boxed]
pub async fn put_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    tag: TagId,
) -> Result<()> {
    let found = read::get(tx, organization, &Viewer::of(author), number, View::now()).await;
    found.map_err(|error| TAGS.either(error))?;
    TAGS.put(tx, organization, author, number.number(), tag).await.map(|_| ())
}

/// Removes a tag from an incident that the author sees. The incident's version and dates stay.
#[boxed]
pub async fn remove_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: IncidentNumber,
    tag: TagId,
) -> Result<()> {
    let found = read::get(tx, organization, &Viewer::of(author), number, View::now()).await;
    found.map_err(|error| TAGS.either(error))?;
    TAGS.remove(tx, organization, author, number.number(), tag).await
}

/// How many tags are on an incident, whoever sees it.
#[boxed]
pub async fn count_tags(tx: &mut Tx, organization: OrgId, number: IncidentNumber) -> Result<i64> {
    TAGS.count(tx, organization, number.number()).await
}

/// Up to `limit` tags of an incident by name, without regard to case: those after the name `after`.
#[boxed]
pub async fn list_tags(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    number: IncidentNumber,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    read::get(tx, organization, viewer, number, View::now()).await?;
    TAGS.list(tx, organization, number.number(), after, limit).await
}

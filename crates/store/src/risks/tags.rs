//! The tags on a risk. A link is ended, never deleted, so that the past still shows it.

use db::{Param, Tx};
use domain::tag::{MAX_PER_RECORD, Tag};
use domain::{Author, Error, FaultCode, OrgId, ResourceKind, RiskNumber, TagId};

use super::{read, subject};
use crate::error::Result;
use crate::journal::{self, Payload};
use crate::page::Page;
use crate::tags;
use crate::view::View;

/// The field of a risk's entry for one tag: true while it is on the risk.
pub(crate) fn field(tag: TagId) -> String {
    format!("tags/{tag}")
}

/// Puts a tag on a risk, which may have so many. The risk's version and dates stay.
pub async fn add_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    tag: TagId,
) -> Result<()> {
    read::get_without_tags(tx, organization, number, View::now()).await.map_err(risk_or_tag)?;
    let Link { exists, is_on, count } = link(tx, organization, number, tag).await?;
    if !exists {
        return Err(Error::NotFound(ResourceKind::RiskOrTag).into());
    }
    if is_on {
        let (code, title) = ("tag_already_associated", "Tag already associated with risk");
        return Err(Error::Conflict { code, title }.into());
    }
    if count >= MAX_PER_RECORD {
        let detail = format!("A risk has at most {MAX_PER_RECORD} tags.");
        return Err(Error::invalid("#/tag_id", FaultCode::TooManyTags, detail).into());
    }
    let payload = Payload::new().set(&field(tag), true);
    let seq = journal::append(tx, organization, author, "risk.tag_added", subject(number), payload).await?;
    let sql = "INSERT INTO risk_tag (organization, risk, tag, seq_from) VALUES ($1, $2, $3, $4)";
    tx.send(sql, &[&organization.uuid(), &number.number(), &tag.uuid(), &seq]).await?;
    Ok(())
}

/// What there is of a tag and a risk. The organization's head is held, so it stays.
struct Link {
    /// Whether there is such a tag.
    exists: bool,
    /// Whether it is on the risk.
    is_on: bool,
    /// How many tags are on the risk.
    count: i64,
}

async fn link(tx: &mut Tx, organization: OrgId, number: RiskNumber, tag: TagId) -> Result<Link> {
    let sql = "SELECT (SELECT count(*) FROM tag WHERE tag.organization = $1 AND tag.id = $3), count(*),
                   CAST(COALESCE(MAX(CASE WHEN tag = $3 THEN 1 ELSE 0 END), 0) AS BIGINT)
               FROM risk_tag WHERE organization = $1 AND risk = $2 AND seq_to IS NULL";
    let params: [&dyn Param; 3] = [&organization.uuid(), &number.number(), &tag.uuid()];
    let (known, count, is_on): (i64, i64, i64) = tx.query_one(sql, &params).await?;
    Ok(Link { exists: known == 1, is_on: is_on == 1, count })
}

/// How many tags are on a risk, deleted or not.
pub async fn count_tags(tx: &mut Tx, organization: OrgId, number: RiskNumber) -> Result<i64> {
    tags::count_of_risk(tx, organization, number).await
}

/// Takes a tag off a risk. The risk's version and dates stay.
pub async fn remove_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    tag: TagId,
) -> Result<()> {
    read::get_without_tags(tx, organization, number, View::now()).await.map_err(risk_or_tag)?;
    if !link(tx, organization, number, tag).await?.is_on {
        return Err(Error::NotFound(ResourceKind::RiskOrTag).into());
    }
    let payload = Payload::new().gone(&field(tag), true);
    let seq = journal::append(tx, organization, author, "risk.tag_removed", subject(number), payload).await?;
    let sql = "UPDATE risk_tag SET seq_to = $4
               WHERE organization = $1 AND risk = $2 AND tag = $3 AND seq_to IS NULL";
    tx.send(sql, &[&organization.uuid(), &number.number(), &tag.uuid(), &seq]).await?;
    Ok(())
}

/// Up to `limit` tags of a risk by name, without regard to case: those after the name `after`.
pub async fn list_tags(
    tx: &mut Tx,
    organization: OrgId,
    number: RiskNumber,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    read::get_without_tags(tx, organization, number, View::now()).await?;
    tags::list_of_risk(tx, organization, number, after, limit).await
}

/// Where a tag goes on a risk, either may be what is missing, and the answer is the same.
fn risk_or_tag(error: crate::Error) -> crate::Error {
    match error.0 {
        Error::NotFound(ResourceKind::Risk | ResourceKind::Tag) => {
            Error::NotFound(ResourceKind::RiskOrTag).into()
        }
        _ => error,
    }
}

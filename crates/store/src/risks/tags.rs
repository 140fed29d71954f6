//! The tags on a risk. A link is ended, never deleted, so that the past still shows it.

use db::{Param, Tx};
use domain::risk::Risk;
use domain::tag::{Tag, TagLabel};
use domain::{Author, Error, Noun, OrgId, RiskNumber, TagId};

use super::fields::{changes, subject};
use super::read;
use crate::error::Result;
use crate::page::Page;
use crate::view::View;
use crate::{journal, tags};

/// Puts a tag on a risk. The risk's version and dates stay.
pub async fn add_tag(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    number: RiskNumber,
    tag: TagId,
) -> Result<()> {
    let before = read::get(tx, organization, number, View::now()).await.map_err(risk_or_tag)?;
    let tag = tags::get(tx, organization, tag).await.map_err(risk_or_tag)?;
    let mut after = before.clone();
    after.tags.push(TagLabel { id: tag.id, name: tag.name, color: tag.color });
    let payload = changes(Some(&before), &after);
    let seq = journal::append(tx, organization, author, "risk.tag_added", subject(number), payload).await?;
    let sql = "INSERT INTO risk_tag (organization, risk, tag, seq_from) VALUES ($1, $2, $3, $4)
               ON CONFLICT (organization, risk, tag) WHERE seq_to IS NULL DO NOTHING";
    let params: [&dyn Param; 4] = [&organization.uuid(), &number.number(), &tag.id.uuid(), &seq];
    if tx.execute(sql, &params).await? == 0 {
        let (code, title) = ("tag_already_associated", "Tag already associated with risk");
        return Err(Error::Conflict { code, title }.into());
    }
    Ok(())
}

/// How many tags are on a risk, whatever became of it.
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
    let before = read::get(tx, organization, number, View::now()).await.map_err(risk_or_tag)?;
    let mut after: Risk = before.clone();
    after.tags.retain(|label| label.id != tag);
    if after.tags.len() == before.tags.len() {
        return Err(Error::NotFound(Noun::RiskOrTag).into());
    }
    let payload = changes(Some(&before), &after);
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
        Error::NotFound(Noun::Risk | Noun::Tag) => Error::NotFound(Noun::RiskOrTag).into(),
        _ => error,
    }
}

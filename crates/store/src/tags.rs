//! Tags of an organization.

use db::{FromRow, Param, Row, Tx};
use domain::tag::{NewTag, Tag, TagLabel};
use domain::text::folded;
use domain::{Author, Error, Noun, OrgId, RiskNumber, TagId};
use serde_json::{Value, json};

use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::journal::{self, Current, Payload, Subject};
use crate::page::Page;

const COLUMNS: &str = "tag.id, tag.name, tag.color, tag.description, tag.created_date, tag.updated_date,
    tag.version, tag.seq_from";

/// Tags that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// Makes a tag. A name that is in use, in whatever case, is a conflict.
pub async fn create(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewTag) -> Result<Tag> {
    let tag = new.create(TagId(tx.uuid()), tx.at());
    let payload =
        fields(&tag).into_iter().fold(Payload::new(), |payload, (name, value)| payload.set(name, value));
    let subject = Subject::new("tag", tag.id.to_string());
    let seq = journal::append(tx, organization, author, "tag.created", subject, payload).await?;
    let sql = "INSERT INTO tag (organization, id, name, name_folded, color, description, created_date,
            updated_date, version, seq_from)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (organization, name_folded) DO NOTHING";
    let params: [&dyn Param; 10] = [
        &organization.uuid(),
        &tag.id.uuid(),
        &tag.name,
        &folded(&tag.name),
        &tag.color,
        &tag.description,
        &tag.created_date,
        &tag.updated_date,
        &tag.version,
        &seq,
    ];
    if tx.execute(sql, &params).await? == 0 {
        return Err(Error::Conflict { code: "name_taken", title: "The name is in use" }.into());
    }
    Ok(tag)
}

/// One tag.
pub async fn get(tx: &mut Tx, organization: OrgId, id: TagId) -> Result<Tag> {
    let sql = format!("SELECT {COLUMNS} FROM tag WHERE organization = $1 AND id = $2");
    let row: Option<TagRow> = tx.query_opt(&sql, &[&organization.uuid(), &id.uuid()]).await?;
    Ok(row.ok_or(Error::NotFound(Noun::Tag))?.tag)
}

/// Up to `limit` tags by name, without regard to case: those after the name `after`.
pub async fn list(tx: &mut Tx, organization: OrgId, after: Option<&str>, limit: i64) -> Result<Page<Tag>> {
    let rows = rows(tx, organization, after, limit + 1).await?;
    Ok(Page::cut(rows.into_iter().map(|row| row.tag).collect(), limit))
}

/// How many tags there are.
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    let sql = "SELECT count(*) FROM tag WHERE organization = $1";
    let (count,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    Ok(count)
}

/// How many tags are on a risk.
pub(crate) async fn count_of_risk(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<i64> {
    let sql = "SELECT count(*) FROM risk_tag WHERE organization = $1 AND risk = $2 AND seq_to IS NULL";
    let (count,) = tx.query_one(sql, &[&organization.uuid(), &risk.number()]).await?;
    Ok(count)
}

async fn rows(tx: &mut Tx, organization: OrgId, after: Option<&str>, limit: i64) -> Result<Vec<TagRow>> {
    // No name is blank, so every folded name comes after the empty text.
    let after = after.map(folded).unwrap_or_default();
    let sql = format!(
        "SELECT {COLUMNS} FROM tag WHERE organization = $1 AND name_folded > $2 ORDER BY name_folded LIMIT $3"
    );
    Ok(tx.query(&sql, &[&organization.uuid(), &after, &limit]).await?)
}

/// Up to `limit` tags that are on a risk, in the order of [`list`].
pub(crate) async fn list_of_risk(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    let after = after.map(folded).unwrap_or_default();
    let sql = format!(
        "SELECT {COLUMNS} FROM risk_tag AS link
         JOIN tag ON tag.organization = link.organization AND tag.id = link.tag
         WHERE link.organization = $1 AND link.risk = $2 AND link.seq_to IS NULL AND tag.name_folded > $3
         ORDER BY tag.name_folded LIMIT $4"
    );
    let params: [&dyn Param; 4] = [&organization.uuid(), &risk.number(), &after, &(limit + 1)];
    let rows: Vec<TagRow> = tx.query(&sql, &params).await?;
    Ok(Page::cut(rows.into_iter().map(|row| row.tag).collect(), limit))
}

/// The tags of several risks by name, each with its risk: as they are, or as they were after the
/// journal entry `as_of_seq`, with today's names.
pub(crate) async fn labels_of_risks(
    tx: &mut Tx,
    organization: OrgId,
    risks: impl IntoIterator<Item = RiskNumber>,
    as_of_seq: Option<i64>,
) -> Result<Vec<(RiskNumber, TagLabel)>> {
    let (organization, risks) =
        (organization.uuid(), numbers_parameter(risks.into_iter().map(RiskNumber::number)));
    let mut params: Vec<&dyn Param> = vec![&organization, &risks];
    let mut condition = "link.seq_to IS NULL";
    if let Some(seq) = &as_of_seq {
        params.push(seq);
        condition = "link.seq_from <= $3 AND (link.seq_to IS NULL OR link.seq_to > $3)";
    }
    let sql = format!(
        "SELECT link.risk, tag.id, tag.name, tag.color FROM risk_tag AS link
         JOIN tag ON tag.organization = link.organization AND tag.id = link.tag
         WHERE link.organization = $1 AND link.risk IN (SELECT number FROM {}) AND {condition}
         ORDER BY link.risk, tag.name_folded",
        wanted_numbers(tx.engine())
    );
    let rows: Vec<LabelRow> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|LabelRow(risk, label)| (risk, label)).collect())
}

/// Every tag as the journal should have it.
pub(crate) async fn journaled(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    let (mut all, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = rows(tx, organization, after.as_deref(), PAGE).await?;
        after = page.last().map(|row| row.tag.name.clone());
        all.extend(page.iter().map(|row| Current {
            subject_kind: "tag",
            subject_id: row.tag.id.to_string(),
            seq_from: Some(row.seq_from),
            fields: fields(&row.tag).map(|(name, value)| (name.to_owned(), value)).into(),
        }));
        if after.is_none() {
            return Ok(all);
        }
    }
}

fn fields(tag: &Tag) -> [(&'static str, Value); 3] {
    [("name", json!(tag.name)), ("color", json!(tag.color)), ("description", json!(tag.description))]
}

struct TagRow {
    tag: Tag,
    seq_from: i64,
}

impl FromRow for TagRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let tag = Tag {
            id: TagId(row.get(0)?),
            name: row.get(1)?,
            color: row.get(2)?,
            description: row.get(3)?,
            created_date: row.get(4)?,
            updated_date: row.get(5)?,
            version: row.get(6)?,
        };
        Ok(Self { tag, seq_from: row.get(7)? })
    }
}

struct LabelRow(RiskNumber, TagLabel);

impl FromRow for LabelRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let label = TagLabel { id: TagId(row.get(1)?), name: row.get(2)?, color: row.get(3)? };
        Ok(Self(RiskNumber(row.get(0)?), label))
    }
}

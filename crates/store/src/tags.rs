//! Tags of an organization.

use db::{FromRow, Param, Row, Tx, Value};
use domain::tag::{NewTag, Tag, TagLabel};
use domain::text::folded;
use domain::{Author, Error, OrgId, ResourceKind, RiskNumber, TagId};

use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::journal::{self, Subject};
use crate::list::{Direction, Filter, Select};
use crate::page::Page;
use crate::record::{self, Record as _, Stored, record};
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
pub async fn get(tx: &mut Tx, organization: OrgId, id: TagId) -> Result<Tag> {
    let found = all(organization).filter(Filter::is("id", id.uuid().into())).one(tx).await?;
    let Stored(tag) = found.ok_or(Error::NotFound(ResourceKind::Tag))?;
    Ok(tag)
}

/// Up to `limit` tags by name, without regard to case: those after the name `after`.
pub async fn list(tx: &mut Tx, organization: OrgId, after: Option<&str>, limit: i64) -> Result<Page<Tag>> {
    let after = after.map(|name| Value::from(folded(name)));
    let page = all(organization).order(ORDER, Direction::Ascending, after).page(tx, limit).await?;
    Ok(page.map(|Stored(tag)| tag))
}

/// How many tags there are.
pub async fn count(tx: &mut Tx, organization: OrgId) -> Result<i64> {
    all(organization).count(tx).await
}

fn all<'q>(organization: OrgId) -> Select<'q, Tag> {
    Select::of(organization, View::with_deleted())
}

/// How many tags are on a risk.
pub(crate) async fn count_of_risk(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<i64> {
    let sql = "SELECT count(*) FROM risk_tag WHERE organization = $1 AND risk = $2 AND seq_to IS NULL";
    let (count,) = tx.query_one(sql, &[&organization.uuid(), &risk.number()]).await?;
    Ok(count)
}

/// Up to `limit` tags that are on a risk, in the order of [`list`].
pub(crate) async fn list_of_risk(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    // By the links, which are few, and not by the names of all tags: SQLite keeps the order of a CROSS JOIN.
    let sql = format!(
        "SELECT {} FROM risk_tag AS link CROSS JOIN tag AS r
         WHERE link.organization = $1 AND link.risk = $2 AND link.seq_to IS NULL
           AND r.organization = link.organization AND r.id = link.tag AND r.name_folded > $3
         ORDER BY r.name_folded LIMIT $4",
        Tag::statements().columns
    );
    // No name is blank, so every folded name comes after the empty text.
    let after = after.map(folded).unwrap_or_default();
    let params: [&dyn Param; 4] = [&organization.uuid(), &risk.number(), &after, &(limit + 1)];
    let rows: Vec<Stored<Tag>> = tx.query(&sql, &params).await?;
    Ok(Page::cut(rows, limit).map(|Stored(tag)| tag))
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

/// The next tags, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Tag>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|tag| {
        let recorded = Recorded::of(subject(tag.id), &tag).made(Made::at(tag.created_date));
        Recorded { seq_from: Some(tag.seq_from), ..recorded }
    }))
}

struct LabelRow(RiskNumber, TagLabel);

impl FromRow for LabelRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let label = TagLabel { id: TagId(row.get(1)?), name: row.get(2)?, color: row.get(3)? };
        Ok(Self(RiskNumber(row.get(0)?), label))
    }
}
